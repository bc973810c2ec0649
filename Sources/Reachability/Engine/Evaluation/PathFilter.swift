/// Which interfaces a path may use.
package struct PathFilter: Hashable, Sendable {
    /// The only type that may be used; nil for any.
    package var required: NetworkInterface.InterfaceType?
    package var prohibited: Set<NetworkInterface.InterfaceType>

    package init(
        required: NetworkInterface.InterfaceType? = nil, prohibited: Set<NetworkInterface.InterfaceType> = []
    ) {
        self.required = required
        self.prohibited = prohibited
    }

    package var isEmpty: Bool { required == nil && prohibited.isEmpty }

    package func allows(_ type: NetworkInterface.InterfaceType) -> Bool {
        (required == nil || required == type) && !prohibited.contains(type)
    }
}
