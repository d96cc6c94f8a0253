// SPDX-License-Identifier: Apache-2.0
internal import FileNames
internal import Glibc
internal import WholeFiles

/// The address of a socket in an open folder.
///
/// The path of the folder may have any length and may change.
///
/// Source: unix(7), proc(5).
package struct UnixAddress {
  /// An error of the system.
  package struct Refusal: Error {
    package let code: Int32
  }

  private let address: LocalSocketAddress

  /// Creates the address of a name in a folder.
  ///
  /// - Parameters:
  ///   - name: The name of the socket.
  ///   - folder: The descriptor of the open folder.
  ///   - path: The path of the socket, for errors.
  /// - Throws: `ControlError.Kind.usage` if the name is empty or too long, and
  ///   `ControlError.Kind.noDevice` without /proc.
  package init(name: String, in folder: Int32, path: String) throws(ControlError) {
    // The address contains the open folder in /proc, so it needs /proc.
    guard FolderListing.isThere("/proc/self/fd") else {
      throw ControlError(
        .noDevice, "\(path): sockets need /proc (mount it: mount -t proc proc /proc)")
    }
    guard !name.isEmpty, name != ".", name != "..",
      let address = LocalSocketAddress(path: "/proc/self/fd/\(folder)/\(name)")
    else { throw ControlError(.usage, "\(path): the socket's name must have 1 to 80 bytes") }
    self.address = address
  }

  /// Binds a socket to this address.
  ///
  /// - Parameter descriptor: The socket.
  /// - Returns: 0, or −1 with the error in `errno`.
  package func bind(_ descriptor: Int32) -> Int32 { address.bind(descriptor) }

  /// Creates a socket and connects it to the one with this address.
  ///
  /// - Returns: The descriptor of the socket.
  /// - Throws: `Refusal` with `ECONNREFUSED` if no process listens, with `EAGAIN` if its queue is
  ///   full.
  package func connected() throws(Refusal) -> Int32 {
    let flags = SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue
    let descriptor = socket(AF_UNIX, Int32(flags), 0)
    guard descriptor >= 0 else { throw Refusal(code: errno) }
    guard address.connect(descriptor) == 0 else {
      let code = errno
      close(descriptor)
      throw Refusal(code: code)
    }
    return descriptor
  }

  /// The process and user at the other end of a socket; nil if the system does not report them.
  package static func peer(of descriptor: Int32) -> (process: Int32, user: UInt32)? {
    // `struct ucred`.
    var peer: (process: Int32, user: UInt32, group: UInt32) = (0, 0, 0)
    var size = socklen_t(MemoryLayout.size(ofValue: peer))
    let result = unsafe getsockopt(descriptor, SOL_SOCKET, SO_PEERCRED, &peer, &size)
    return result == 0 ? (peer.process, peer.user) : nil
  }
}
