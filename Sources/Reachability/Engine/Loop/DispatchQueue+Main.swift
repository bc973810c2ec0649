internal import Dispatch

extension DispatchQueue {
    /// True for the main queue itself, which is another object each time it is asked for on Linux.
    var isMain: Bool { getSpecific(key: Self.mainKey) == true }

    /// True in work that the main queue does, for itself or for a queue that targets it.
    static var isOnMain: Bool { getSpecific(key: mainKey) == true }

    private static let mainKey: DispatchSpecificKey<Bool> = {
        let key = DispatchSpecificKey<Bool>()
        DispatchQueue.main.setSpecific(key: key, value: true)
        return key
    }()
}
