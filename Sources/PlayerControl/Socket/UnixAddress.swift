// SPDX-License-Identifier: Apache-2.0
internal import FileNames
internal import Glibc
internal import WholeFiles

/// A name of a socket in a folder that is open already: however long the folder's path is, and
/// whatever it is called by then.
///
/// Source: unix(7), proc(5).
package struct UnixAddress {
  /// What the system said.
  package struct Refusal: Error {
    package let code: Int32
  }

  private var address = sockaddr_un()

  /// Takes a name.
  ///
  /// - Throws: `ControlError.Kind.usage` for a name that is empty or too long.
  package init(name: String, in folder: Int32, path: String) throws(ControlError) {
    let bytes = FileName.bytes(of: "/proc/self/fd/\(folder)/\(name)")
    // The name goes through the open folder in /proc, so it needs /proc.
    guard FolderListing.isThere("/proc/self/fd") else {
      throw ControlError(
        .noDevice, "\(path): sockets need /proc (mount it: mount -t proc proc /proc)")
    }
    let capacity = MemoryLayout.size(ofValue: address.sun_path)
    guard !name.isEmpty, name != ".", name != "..", bytes.count < capacity else {
      throw ControlError(.usage, "\(path): a socket's name has 1 to 80 bytes")
    }
    address.sun_family = sa_family_t(AF_UNIX)
    unsafe withUnsafeMutableBytes(of: &address.sun_path) { unsafe $0.copyBytes(from: bytes) }
  }

  private func withAddress(_ body: (UnsafePointer<sockaddr>, socklen_t) -> Int32) -> Int32 {
    unsafe withUnsafePointer(to: address) { pointer in
      unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        unsafe body($0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
  }

  /// Gives a socket the name; 0, or −1 with an error number.
  package func bind(_ descriptor: Int32) -> Int32 {
    unsafe withAddress { unsafe Glibc.bind(descriptor, $0, $1) }
  }

  /// A socket that is connected to the one of the name.
  ///
  /// - Throws: `Refusal` with ECONNREFUSED where nobody listens, with EAGAIN where too many wait.
  package func connected() throws(Refusal) -> Int32 {
    let flags = SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue
    let descriptor = socket(AF_UNIX, Int32(flags), 0)
    guard descriptor >= 0 else { throw Refusal(code: errno) }
    guard unsafe withAddress({ unsafe connect(descriptor, $0, $1) }) == 0 else {
      let code = errno
      close(descriptor)
      throw Refusal(code: code)
    }
    return descriptor
  }

  /// Who is at the other end of a socket; nil where the system does not say.
  package static func peer(of descriptor: Int32) -> (process: Int32, user: UInt32)? {
    // `struct ucred`.
    var peer: (process: Int32, user: UInt32, group: UInt32) = (0, 0, 0)
    var size = socklen_t(MemoryLayout.size(ofValue: peer))
    let result = unsafe getsockopt(descriptor, SOL_SOCKET, SO_PEERCRED, &peer, &size)
    return result == 0 ? (peer.process, peer.user) : nil
  }
}
