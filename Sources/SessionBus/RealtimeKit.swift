// SPDX-License-Identifier: Apache-2.0
internal import CSystemdBus
internal import Glibc

/// A client of RealtimeKit on the system bus, which raises a thread's priority if the process may
/// not.
///
/// RealtimeKit requires a limit of the time that threads of the process may compute without a
/// pause, so that they cannot block the machine. The kernel ends a process that exceeds the limit.
///
/// - Note: Use it from one thread; each call waits for its answer, at most 2 s. Not real-time safe.
///
/// Source: the interface `org.freedesktop.RealtimeKit1` of rtkit 0.13; sd-bus(3); setrlimit(2).
@safe
package final class RealtimeKit {
  private static let name = "org.freedesktop.RealtimeKit1"
  private static let path = "/org/freedesktop/RealtimeKit1"
  private static let patience: UInt64 = 2_000_000

  private let library: UnsafePointer<CSystemdBusTable>
  private let bus: OpaquePointer

  /// Connects to the system bus; nil if the bus or its library is not available.
  package init?() {
    guard let library = unsafe csystemdbus_table() else { return nil }
    var bus: OpaquePointer?
    guard unsafe library.pointee.open_system(&bus) >= 0, let bus = unsafe bus else { return nil }
    unsafe self.library = library
    unsafe self.bus = bus
  }

  deinit { unsafe _ = library.pointee.close_unref(bus) }

  /// Requests a real-time priority for a thread of this process.
  ///
  /// - Parameters:
  ///   - thread: The kernel's thread ID, which can be that of any other thread.
  ///   - wanted: The wanted priority, 1…99.
  /// - Returns: The priority that was set: the wanted one, scaled from 99 to RealtimeKit's maximum,
  ///   at least 1. Nil if the request was refused.
  package func raise(thread: Int32, to wanted: Int32) -> Int32? {
    guard case .int32(let highest) = property("MaxRealtimePriority"), highest > 0,
      case .int64(let longest) = property("RTTimeUSecMax"), longest > 0,
      Self.limitRunTime(to: rlim_t(longest))
    else { return nil }
    let priority = max(1, wanted * min(highest, 99) / 99)
    let answer = call(
      Self.name, "MakeThreadRealtime", [.uint64(UInt64(thread)), .uint32(UInt32(priority))])
    return answer == nil ? nil : priority
  }

  private func property(_ property: String) -> BusValue? {
    let answer = call(
      "org.freedesktop.DBus.Properties", "Get", [.text(Self.name), .text(property)])
    guard case .variant(let value)? = answer?.first else { return nil }
    return value
  }

  /// Limits the time that a real-time thread may compute without a pause, unless a lower limit is
  /// set.
  private static func limitRunTime(to microseconds: rlim_t) -> Bool {
    var limit = rlimit()
    let resource = Int32(__RLIMIT_RTTIME.rawValue)
    guard unsafe getrlimit(resource, &limit) == 0 else { return false }
    guard limit.rlim_max > microseconds else { return true }
    limit = rlimit(rlim_cur: min(limit.rlim_cur, microseconds), rlim_max: microseconds)
    return unsafe setrlimit(resource, &limit) == 0
  }

  /// Calls a method and waits for the values of the answer; nil for an error.
  private func call(_ interface: String, _ member: String, _ values: [BusValue]) -> [BusValue]? {
    var made: OpaquePointer?
    let code = unsafe library.pointee.message_new_method_call(
      bus, &made, Self.name, Self.path, interface, member)
    guard code >= 0, let pointer = unsafe made else { return nil }
    let message = unsafe BusMessage(pointer, library)
    for value in values where !message.append(value) { return nil }
    var answered: OpaquePointer?
    let result = unsafe message.with {
      unsafe library.pointee.call(bus, $0, Self.patience, nil, &answered)
    }
    guard result >= 0, let answer = unsafe answered else { return nil }
    return unsafe BusMessage(answer, library).call.arguments
  }
}
