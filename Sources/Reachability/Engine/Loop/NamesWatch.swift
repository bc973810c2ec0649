internal import NameResolution
internal import Timing

/// The name service of the network that is open, and the descriptors that are watched for it. There is none until a name or
/// a path is watched: it watches files, which addresses need not pay for.
struct NamesWatch {
    private(set) var service: (any NameService)?
    private let descriptors = DescriptorNumbers()

    /// Makes the service and returns it; nil if there was one already, or if there is no network to make one.
    mutating func open(on network: (any NetworkSource)?, watchedBy poller: Poller?) -> (any NameService)? {
        guard service == nil, let network else { return nil }
        service = network.makeNameService { [descriptors] descriptor, readable, writable in
            descriptors.note(descriptor, isWatched: readable || writable)
            // Without room for another it is not heard: an answer is given up in its time, all else comes with the next opening.
            try? poller?.watch(descriptor, readable: readable, writable: writable)
        }
        return service
    }

    /// Has the service look at a descriptor, if it is one of its own.
    func process(_ ready: Poller.Ready, now: Instant) {
        guard let service, descriptors.contains(ready.descriptor) else { return }
        service.process(ready.descriptor, readable: ready.isReadable, writable: ready.isWritable, now: now)
    }

    mutating func close() {
        service?.close()
        service = nil
        descriptors.removeAll()
    }
}

/// Which descriptors are the service's. It tells of them while it is called itself, so the loop must not hold them.
private final class DescriptorNumbers {
    private var numbers: Set<Int32> = []

    func contains(_ number: Int32) -> Bool { numbers.contains(number) }
    func note(_ number: Int32, isWatched: Bool) {
        if isWatched { numbers.insert(number) } else { numbers.remove(number) }
    }
    func removeAll() { numbers = [] }
}
