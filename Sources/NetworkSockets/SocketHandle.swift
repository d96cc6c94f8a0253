// SPDX-License-Identifier: Apache-2.0
internal import Glibc

/// An open non-blocking socket, which is closed with its owner.
///
/// Source: socket(7).
struct SocketHandle: ~Copyable {
  let descriptor: Int32

  /// Opens a socket.
  ///
  /// - Throws: `NetworkError.cannotOpen` if the limit is reached or the IP version is not
  ///   available.
  init(family: Int32, _ type: __socket_type) throws(NetworkError) {
    let flags = type.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue
    let made = socket(family, Int32(flags), 0)
    guard made >= 0 else { throw .cannotOpen(code: errno) }
    descriptor = made
  }

  /// Takes ownership of an open socket.
  init(owning descriptor: Int32) {
    self.descriptor = descriptor
  }

  deinit { close(descriptor) }

  /// Sets a socket option.
  ///
  /// - Throws: `NetworkError.cannotSet` with the purpose of the option.
  func set<Value>(
    _ level: Int32, _ option: Int32, to value: Value, for purpose: String
  ) throws(NetworkError) {
    let size = socklen_t(MemoryLayout<Value>.size)
    let result = unsafe withUnsafePointer(to: value) {
      unsafe setsockopt(descriptor, level, option, $0, size)
    }
    guard result == 0 else { throw .cannotSet(purpose, code: errno) }
  }

  /// Binds the socket to an address of this machine.
  func bind(to address: SocketAddress) throws(NetworkError) {
    let result = unsafe address.withSystem { unsafe Glibc.bind(descriptor, $0, $1) }
    guard result == 0 else { throw .cannotBind(address, code: errno) }
  }

  /// The address of the socket, with the port that the system chose.
  func localAddress() throws(NetworkError) -> SocketAddress {
    try unsafe address(getsockname)
  }

  /// The address of the peer.
  func peerAddress() throws(NetworkError) -> SocketAddress {
    try unsafe address(getpeername)
  }

  private func address(
    _ ask: (Int32, UnsafeMutablePointer<sockaddr>, UnsafeMutablePointer<socklen_t>) -> Int32
  ) throws(NetworkError) -> SocketAddress {
    var system = SocketAddress.System()
    let result = unsafe withUnsafeMutablePointer(to: &system.storage) { storage in
      unsafe storage.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        unsafe ask(descriptor, $0, &system.size)
      }
    }
    guard result == 0 else { throw .cannotSet("the address", code: errno) }
    guard let address = SocketAddress(system) else {
      throw .cannotSet("the address", code: EAFNOSUPPORT)
    }
    return address
  }
}
