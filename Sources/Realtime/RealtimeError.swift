// SPDX-License-Identifier: Apache-2.0
internal import Glibc

/// An error of a system call for real-time threads.
public enum RealtimeError: Error, Hashable, Sendable {
  /// A thread cannot be started; the code is the error number of the system call.
  case cannotStartThread(name: String, code: Int32)
  /// A descriptor for wake-ups cannot be created; the code is the error number of the system call.
  case cannotMakeWakeUp(code: Int32)
  /// The process that monitors this one cannot be started; the code is the error number of the
  /// system call.
  case cannotStartSentinel(name: String, code: Int32)
  /// Memory cannot be locked.
  ///
  /// The limit of locked memory is in bytes; it is nil if a limit is not the cause.
  case cannotLockMemory(limit: UInt64?, code: Int32)
}

extension RealtimeError: CustomStringConvertible {
  /// The message for the user.
  public var description: String {
    switch self {
    case .cannotStartThread(let name, let code):
      "thread \(name): cannot start: \(systemMessage(code))"
    case .cannotMakeWakeUp(let code):
      "wake-up: cannot create an event descriptor: \(systemMessage(code))"
    case .cannotStartSentinel(let name, let code):
      "\(name): cannot start: \(systemMessage(code)) (if this program is killed, notes may hang)"
    case .cannotLockMemory(let limit?, _):
      "memory: only \(limit / 1024) KiB can be locked (join the group audio, or raise memlock in"
        + " /etc/security/limits.d)"
    case .cannotLockMemory(nil, let code):
      "memory: cannot be locked: \(systemMessage(code))"
    }
  }
}

/// The system's message for an error number, in lower case and without a full stop.
func systemMessage(_ code: Int32) -> String {
  guard let text = unsafe strerror(code) else { return "error \(code)" }
  return unsafe String(cString: text).lowercased()
}
