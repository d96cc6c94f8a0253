// SPDX-License-Identifier: Apache-2.0
internal import Glibc

/// An error of a network operation.
package enum NetworkError: Error, Hashable, Sendable {
  /// A text is not an address with a port.
  case badAddress(String)
  /// A host name cannot be resolved, for a reason given by the system.
  case unknownHost(String, reason: String)
  /// A socket cannot be created; the code is an error number.
  case cannotOpen(code: Int32)
  /// An address is in use, or is not an address of this machine.
  case cannotBind(SocketAddress, code: Int32)
  /// A multicast group cannot be joined or left on an interface.
  case cannotJoin(IPAddress, interface: UInt32, code: Int32)
  /// A socket option cannot be set; the text names its purpose.
  case cannotSet(String, code: Int32)
  /// A peer does not accept connections, or cannot be reached.
  case cannotConnect(SocketAddress, code: Int32)
  /// A datagram cannot be sent to an address.
  ///
  /// A full buffer is not an error.
  case cannotSend(SocketAddress, code: Int32)
  /// A socket cannot receive any more.
  case cannotReceive(code: Int32)
  /// The interfaces cannot be listed.
  case cannotList(code: Int32)
}

extension NetworkError: CustomStringConvertible {
  /// The error number, if the system returned one.
  package var code: Int32? {
    switch self {
    case .badAddress, .unknownHost: nil
    case .cannotOpen(let code), .cannotBind(_, let code), .cannotJoin(_, _, let code),
      .cannotSet(_, let code), .cannotConnect(_, let code), .cannotSend(_, let code),
      .cannotReceive(let code), .cannotList(let code):
      code
    }
  }

  /// The text of the error message.
  package var description: String {
    switch self {
    case .badAddress(let text):
      "'\(text)': not an address and a port (such as 192.168.0.5:5004, or [fe80::1%eth0]:5004)"
    case .unknownHost(let name, let reason): "\(name): unknown host: \(reason)"
    case .cannotOpen(let code): "network: cannot open a socket: \(systemMessage(code))"
    case .cannotBind(let address, EADDRINUSE):
      "\(address): in use by another program (choose another port)"
    case .cannotBind(let address, EADDRNOTAVAIL):
      "\(address): not an address of this machine (list them: ip address)"
    case .cannotBind(let address, let code):
      "\(address): cannot listen: \(systemMessage(code))"
    case .cannotJoin(let group, let interface, let code):
      "interface \(interface): cannot join \(group): \(systemMessage(code))"
    case .cannotSet(let what, let code): "socket: cannot set \(what): \(systemMessage(code))"
    case .cannotConnect(let address, let code):
      "\(address): cannot be reached: \(systemMessage(code))"
    case .cannotSend(let address, let code):
      "\(address): cannot send: \(systemMessage(code))"
    case .cannotReceive(let code): "network: cannot receive: \(systemMessage(code))"
    case .cannotList(let code): "network: cannot list the interfaces: \(systemMessage(code))"
    }
  }
}

/// The system's message for an error number, in lower case and without a full stop.
func systemMessage(_ code: Int32) -> String {
  guard let text = unsafe strerror(code) else { return "error \(code)" }
  return unsafe String(cString: text).lowercased()
}
