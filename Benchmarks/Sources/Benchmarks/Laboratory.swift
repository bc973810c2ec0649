import Glibc

/// The private network that is measured in, which `run.sh` sets up.
enum Laboratory {
    /// The number of the link to change routes of; nil outside of that network.
    static var link: UInt32? {
        let index = if_nametoindex("bench0")
        return index == 0 ? nil : index
    }
}
