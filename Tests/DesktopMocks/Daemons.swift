/// Names of ModemManager's objects, as its D-Bus reference gives them.
package enum ModemManager {
    package static let path = "/org/freedesktop/ModemManager1"
    package static let modem = "org.freedesktop.ModemManager1.Modem"
    package static let registration = "org.freedesktop.ModemManager1.Modem.Modem3gpp"
    package static let bearer = "org.freedesktop.ModemManager1.Bearer"
    package static let modem0 = "/org/freedesktop/ModemManager1/Modem/0"
    package static let bearer0 = "/org/freedesktop/ModemManager1/Bearer/0"
}

/// Names of NetworkManager's objects, as its D-Bus reference gives them.
package enum NetworkManager {
    package static let path = "/org/freedesktop/NetworkManager"
    package static let manager = "org.freedesktop.NetworkManager"
    package static let device = "org.freedesktop.NetworkManager.Device"

    package static func device(_ number: Int) -> String { "\(path)/Devices/\(number)" }
}
