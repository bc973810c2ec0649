/// Methods waiting to be called, each once however often it is asked for.
package struct CallQueue: Sendable {
    private var methods: [BusMethod] = []
    private var members: Set<BusMethod> = []

    /// Nothing waits.
    package init() {}

    /// Puts one in, unless it waits already.
    package mutating func insert(_ method: BusMethod) {
        if members.insert(method).inserted { methods.append(method) }
    }

    /// Takes one out; which one does not matter, for answers are told apart.
    package mutating func next() -> BusMethod? {
        guard let method = methods.popLast() else { return nil }
        members.remove(method)
        return method
    }
}
