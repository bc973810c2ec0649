/// A message from the bus. The sender is the unique name that the bus itself stamped on it, so it can be believed.
package enum BusMessage: Equatable, Sendable {
    /// The answer to the call with that serial; no body if it could not be read within the reader's limits.
    case reply(to: UInt32, sender: String, body: [BusValue]?)
    /// An error in answer to the call with that serial.
    case refusal(of: UInt32, sender: String)
    /// A signal of anybody.
    case signal(BusSignal)
}

/// A signal, which nobody asked for.
package struct BusSignal: Equatable, Sendable {
    /// The unique name of the sender.
    package var sender: String
    /// The object that sent it.
    package var path: String
    /// The interface that has the signal.
    package var interface: String
    /// The signal's name.
    package var member: String
    /// The arguments; nil if they could not be read within the reader's limits.
    package var body: [BusValue]?

    /// A signal as received.
    package init(sender: String, path: String, interface: String, member: String, body: [BusValue]?) {
        self.sender = sender
        self.path = path
        self.interface = interface
        self.member = member
        self.body = body
    }
}

/// A method of an object, with arguments: the question without whom it goes to. Every call made here takes strings only.
package struct BusMethod: Hashable, Sendable {
    /// The object asked.
    package var path: String
    /// The interface that has the method.
    package var interface: String
    /// The method's name.
    package var member: String
    /// The arguments, all of D-Bus type `s`.
    package var arguments: [String]

    /// A method with its arguments.
    package init(path: String, interface: String, member: String, arguments: [String] = []) {
        self.path = path
        self.interface = interface
        self.member = member
        self.arguments = arguments
    }

    /// All properties of one interface of an object.
    package static func getAll(_ interface: String, of path: String) -> BusMethod {
        BusMethod(path: path, interface: BusName.properties, member: "GetAll", arguments: [interface])
    }

    /// All objects below an object manager.
    package static func getManagedObjects(of path: String) -> BusMethod {
        BusMethod(path: path, interface: BusName.objectManager, member: "GetManagedObjects")
    }
}

/// A method call on its way to one connection of the bus.
package struct BusCall: Equatable, Sendable {
    /// The message's serial, by which its answer is known.
    package var serial: UInt32
    /// A unique name, so that no other owner can answer and no daemon is started by asking; or the bus's own name.
    package var destination: String
    /// What is called.
    package var method: BusMethod

    /// A call as it is sent.
    package init(serial: UInt32, destination: String, method: BusMethod) {
        self.serial = serial
        self.destination = destination
        self.method = method
    }
}

/// Names that the D-Bus specification gives.
package enum BusName {
    /// The bus itself.
    package static let driver = "org.freedesktop.DBus"
    /// The object of the bus.
    package static let driverPath = "/org/freedesktop/DBus"
    /// The interface every object with properties has.
    package static let properties = "org.freedesktop.DBus.Properties"
    /// The interface that tells of objects.
    package static let objectManager = "org.freedesktop.DBus.ObjectManager"
}
