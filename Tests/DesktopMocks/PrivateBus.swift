package import Foundation

/// A message bus of the test's own, with daemons or mocks of them on it.
package final class PrivateBus {
    /// Debian's Python: another one first in PATH has no dbusmock.
    package static let python = "/usr/bin/python3"

    package static let isAvailable = ChildProcess.exists("dbus-daemon") && ChildProcess.exists("gdbus")

    package static let hasMocks =
        isAvailable && (try? ChildProcess.run([python, "-c", "import dbusmock"], environment: [:])) != nil

    /// The path of a script that runs a daemon or stands in for a device.
    package static func script(_ name: String) -> String {
        URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent("Scripts/\(name)").path
    }

    package let directory: URL
    private var daemon: ChildProcess?
    private var children: [ChildProcess] = []

    package var socketPath: String { directory.appendingPathComponent("bus").path }
    package var address: String { "unix:path=\(socketPath)" }
    package var environment: [String: String] { ["DBUS_SYSTEM_BUS_ADDRESS": address] }

    /// Makes the directory and the bus's configuration; the bus starts with `start`.
    package init() throws {
        directory = FileManager.default.temporaryDirectory
            .appendingPathComponent("desktop-services-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        // Everything is allowed. Without the rules for replies every caller would wait for its time-out.
        let policy = """
            <!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN"
             "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
            <busconfig><type>system</type><listen>\(address)</listen><auth>EXTERNAL</auth><policy context="default">
            <allow user="*"/><allow own="*"/><allow send_type="method_call"/><allow send_type="signal"/>
            <allow send_requested_reply="true" send_type="method_return"/>
            <allow send_requested_reply="true" send_type="error"/><allow receive_type="method_call"/>
            <allow receive_type="method_return"/><allow receive_type="error"/><allow receive_type="signal"/>
            </policy></busconfig>
            """
        try policy.write(to: directory.appendingPathComponent("bus.conf"), atomically: true, encoding: .utf8)
    }

    deinit {
        stop()
        try? FileManager.default.removeItem(at: directory)
    }

    /// Starts the bus and waits until it listens.
    package func start() throws {
        let child = try ChildProcess(
            [
                "dbus-daemon", "--config-file=\(directory.appendingPathComponent("bus.conf").path)", "--nofork",
                "--nopidfile", "--print-address=1",
            ], environment: [:], log: directory.appendingPathComponent("bus.log").path)
        guard child.line().hasPrefix("unix:") else { throw ChildProcess.Failure("no bus") }
        daemon = child
    }

    /// Ends the bus at once, and what runs on it. The socket's file stays behind.
    package func stop() {
        for child in children { child.kill() }
        children = []
        daemon?.kill()
        daemon = nil
    }

    /// Runs a daemon on the bus, and waits until it has its name.
    @discardableResult
    package func run(_ arguments: [String], name: String) throws -> ChildProcess {
        let log = directory.appendingPathComponent("\(name)-\(children.count).log").path
        let child = try ChildProcess(arguments, environment: environment, log: log)
        children.append(child)
        do {
            try ChildProcess.run(["gdbus", "wait", "--system", "--timeout", "30", name], environment: environment)
        } catch {
            let text = (try? String(contentsOfFile: log, encoding: .utf8)) ?? ""
            throw ChildProcess.Failure("\(name) did not come up: \(text)")
        }
        return child
    }

    /// Calls a method; arguments are in GVariant text form.
    @discardableResult
    package func call(_ name: String, _ path: String, _ method: String, _ arguments: String...) throws -> String {
        try ChildProcess.run(
            ["gdbus", "call", "--system", "-d", name, "-o", path, "-m", method, "--"] + arguments,
            environment: environment)
    }
}
