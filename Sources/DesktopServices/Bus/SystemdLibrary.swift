internal import CSystemd
import Glibc

/// The functions of sd-bus, found in a library that is opened at run time and stays open.
///
/// Unsafe in one place: the types given to the functions found. It is sound because the header CSystemd.h repeats the
/// prototypes of sd-bus's stable interface, which libsystemd.so.0 promises to keep under this file name.
@safe package struct SystemdLibrary {
    let newBus: sd_bus_new_function
    let setAddress: sd_bus_set_address_function
    let setBusClient: sd_bus_flag_function
    let negotiateDescriptors: sd_bus_flag_function
    let start: sd_bus_query_function
    let isReady: sd_bus_query_function
    let descriptor: sd_bus_query_function
    let events: sd_bus_query_function
    let timeout: sd_bus_get_timeout_function
    let process: sd_bus_process_function
    let send: sd_bus_send_function
    let close: sd_bus_close_function
    let unref: sd_bus_unref_function
    let newMethodCall: sd_bus_message_new_method_call_function
    let appendBasic: sd_bus_message_append_basic_function
    let seal: sd_bus_message_seal_function
    let unrefMessage: sd_bus_message_unref_function
    let messageType: sd_bus_message_get_type_function
    let replyCookie: sd_bus_message_get_reply_cookie_function
    let sender: sd_bus_message_get_text_function
    let path: sd_bus_message_get_text_function
    let interface: sd_bus_message_get_text_function
    let member: sd_bus_message_get_text_function
    let peekType: sd_bus_message_peek_type_function
    let readBasic: sd_bus_message_read_basic_function
    let enterContainer: sd_bus_message_enter_container_function
    let exitContainer: sd_bus_message_exit_container_function

    /// Opens the library, which reads files but waits for nothing else.
    ///
    /// - Throws: `libraryUnusable` if it is not there or is older than systemd 237.
    package init(name: String) throws(DesktopBusFault) {
        guard let handle = unsafe dlopen(name, RTLD_NOW | RTLD_LOCAL) else {
            throw .libraryUnusable(name: name, reason: unsafe dlerror().map { unsafe String(cString: $0) } ?? "")
        }
        func function<Function>(_ symbol: String) throws(DesktopBusFault) -> Function {
            guard let address = unsafe dlsym(handle, symbol) else {
                throw .libraryUnusable(name: name, reason: "it has no \(symbol)")
            }
            return unsafe unsafeBitCast(address, to: Function.self)
        }
        do throws(DesktopBusFault) {
            unsafe newBus = try function("sd_bus_new")
            unsafe setAddress = try function("sd_bus_set_address")
            unsafe setBusClient = try function("sd_bus_set_bus_client")
            unsafe negotiateDescriptors = try function("sd_bus_negotiate_fds")
            unsafe start = try function("sd_bus_start")
            unsafe isReady = try function("sd_bus_is_ready")
            unsafe descriptor = try function("sd_bus_get_fd")
            unsafe events = try function("sd_bus_get_events")
            unsafe timeout = try function("sd_bus_get_timeout")
            unsafe process = try function("sd_bus_process")
            unsafe send = try function("sd_bus_send")
            unsafe close = try function("sd_bus_close")
            unsafe unref = try function("sd_bus_unref")
            unsafe newMethodCall = try function("sd_bus_message_new_method_call")
            unsafe appendBasic = try function("sd_bus_message_append_basic")
            unsafe seal = try function("sd_bus_message_seal")
            unsafe unrefMessage = try function("sd_bus_message_unref")
            unsafe messageType = try function("sd_bus_message_get_type")
            unsafe replyCookie = try function("sd_bus_message_get_reply_cookie")
            unsafe sender = try function("sd_bus_message_get_sender")
            unsafe path = try function("sd_bus_message_get_path")
            unsafe interface = try function("sd_bus_message_get_interface")
            unsafe member = try function("sd_bus_message_get_member")
            unsafe peekType = try function("sd_bus_message_peek_type")
            unsafe readBasic = try function("sd_bus_message_read_basic")
            unsafe enterContainer = try function("sd_bus_message_enter_container")
            unsafe exitContainer = try function("sd_bus_message_exit_container")
        } catch {
            unsafe dlclose(handle)
            throw error
        }
    }
}
