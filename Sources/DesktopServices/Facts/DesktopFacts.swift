/// What the desktop's network daemons say now. Empty when there is no bus, no daemon or no answer: nothing in it is
/// older than the daemon that said it.
package struct DesktopFacts: Equatable, Sendable {
    /// ModemManager's modems, ordered by object path.
    package var modems: [Modem] = []
    /// NetworkManager's word; nil when it is not there or has not answered.
    package var networkManager: NetworkManagerFacts?

    /// Facts as told; without arguments, that nothing is known.
    package init(modems: [Modem] = [], networkManager: NetworkManagerFacts? = nil) {
        self.modems = modems
        self.networkManager = networkManager
    }
}
