package import InternetProtocol
package import Rtnetlink

/// What one emptying of the change stream amounts to.
package struct ChangeBatch: Equatable, Sendable {
    /// The prefixes whose routes changed.
    package var destinations: [AddressPrefix] = []
    /// Any answer may be another now.
    package var isAboutEverything = false
    /// A change is still being carried out in the kernel and has to be waited for before asking.
    package var needsSettling = false
    /// Changes were lost: links and addresses have to be read anew.
    package var isOverrun = false
    /// The stream broke: it has to be opened anew.
    package var failure: SystemCallError?
    package var causes: ChangeCauses = []

    package init() {}

    package var isEmpty: Bool {
        destinations.isEmpty && !isAboutEverything && !needsSettling && !isOverrun && failure == nil
    }

    /// Adds a change that had an effect.
    package mutating func add(_ change: NetworkChange, _ effect: NetworkView.Effect) {
        switch effect {
        case .none: return
        case .destinations(let prefix): destinations.append(prefix)
        case .everything: isAboutEverything = true
        case .everythingOnceSettled:
            isAboutEverything = true
            needsSettling = true
        }
        switch change {
        case .link, .linkRemoved: causes.insert(.link)
        case .address, .addressRemoved: causes.insert(.address)
        case .route: causes.insert(.route)
        case .routing: causes.insert(.routing)
        }
    }
}
