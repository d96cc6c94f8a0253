// SPDX-License-Identifier: Apache-2.0
internal import CSystemdBus

/// A connection to the user's D-Bus session bus, on which desktop programs call each other.
///
/// Its functions do not wait: messages are queued for sending, and received by `process`. It does
/// not start a bus.
///
/// - Note: Use it from one thread. Source: D-Bus Specification; sd-bus(3).
@safe
package final class SessionBus {
  /// The most messages that are processed in one call.
  private static let mostMessages = 64

  private let library: UnsafePointer<CSystemdBusTable>
  private let bus: OpaquePointer
  private var isLost = false

  /// Begins to connect to the session bus; nil if the bus or its library is not available.
  package init?() {
    guard let library = unsafe csystemdbus_table() else { return nil }
    var bus: OpaquePointer?
    guard unsafe library.pointee.open_user(&bus) >= 0, let bus = unsafe bus else { return nil }
    unsafe self.library = library
    unsafe self.bus = bus
  }

  deinit { unsafe _ = library.pointee.close_unref(bus) }

  /// The file descriptor that becomes readable when a message arrives; nil if the connection is
  /// lost.
  package var descriptor: Int32? {
    guard !isLost else { return nil }
    let descriptor = unsafe library.pointee.get_fd(bus)
    return descriptor < 0 ? nil : descriptor
  }

  /// Sends queued messages, and processes received messages.
  ///
  /// - Parameter answer: Returns the answer to a call. Its result for other messages is ignored.
  package func process(_ answer: (BusCall) -> BusAnswer) {
    for _ in 0..<Self.mostMessages where !isLost {
      var message: OpaquePointer?
      let result = unsafe library.pointee.process(bus, &message)
      isLost = result < 0
      if let message = unsafe message {
        take(unsafe BusMessage(message, library), answer)
      } else if result <= 0 {
        return
      }
    }
  }

  private func take(_ message: consuming BusMessage, _ answer: (BusCall) -> BusAnswer) {
    let call = message.call
    let answer = answer(call)
    guard case .call = call.kind,
      unsafe message.with({ unsafe library.pointee.message_get_expect_reply($0) }) > 0
    else { return }
    switch answer {
    case .values(let values):
      unsafe _ = send(values) { reply in
        unsafe message.with { unsafe library.pointee.message_new_method_return($0, &reply) }
      }
    case .error(let name, let sentence):
      unsafe _ = name.withCString { name in
        unsafe sentence.withCString { sentence in
          var error = unsafe sd_bus_error(name: name, message: sentence, _need_free: 0)
          return unsafe send([]) { reply in
            unsafe message.with {
              unsafe library.pointee.message_new_method_error($0, &reply, &error)
            }
          }
        }
      }
    }
  }

  /// Sends a signal.
  ///
  /// It is lost if the connection is lost or does not accept it.
  package func signal(_ path: String, _ interface: String, _ member: String, _ values: [BusValue]) {
    unsafe _ = send(values) { message in
      unsafe library.pointee.message_new_signal(bus, &message, path, interface, member)
    }
  }

  /// Requests a name on the bus, without queueing for a name that is in use.
  ///
  /// - Returns: The number of the request, which `process` reports with the answer; an answer of 1
  ///   means that the name was assigned. Nil if the request cannot be sent.
  package func requestName(_ name: String) -> UInt64? {
    let (bus, flags) = ("org.freedesktop.DBus", UInt32(4))
    return unsafe send([.text(name), .uint32(flags)]) { message in
      unsafe library.pointee.message_new_method_call(
        self.bus, &message, bus, "/org/freedesktop/DBus", bus, "RequestName")
    }
  }

  /// Sends a message with values, and returns its number; nil if it cannot be sent.
  private func send(
    _ values: [BusValue], _ make: (inout OpaquePointer?) -> Int32
  ) -> UInt64? {
    var made: OpaquePointer?
    guard !isLost, unsafe make(&made) >= 0, let pointer = unsafe made else { return nil }
    let message = unsafe BusMessage(pointer, library)
    for value in values where !message.append(value) { return nil }
    var cookie: UInt64 = 0
    let result = unsafe message.with { unsafe library.pointee.send(bus, $0, &cookie) }
    return result < 0 ? nil : cookie
  }
}
