// SPDX-License-Identifier: Apache-2.0
internal import Glibc

extension SocketAddress {
  /// Memory for an address of either IP version.
  struct System {
    var storage = sockaddr_storage()
    var size = socklen_t(MemoryLayout<sockaddr_storage>.size)
  }

  /// The address family.
  var family: Int32 { address.isV6 ? AF_INET6 : AF_INET }

  /// Calls `body` with the address in the system's format.
  func withSystem(_ body: (UnsafePointer<sockaddr>, socklen_t) -> Int32) -> Int32 {
    switch address {
    case .v4(let bits):
      var system = sockaddr_in()
      system.sin_family = sa_family_t(AF_INET)
      system.sin_port = port.bigEndian
      system.sin_addr.s_addr = bits.bigEndian
      return unsafe Self.call(&system, body)
    case .v6(let bits, let scope):
      var system = sockaddr_in6()
      system.sin6_family = sa_family_t(AF_INET6)
      system.sin6_port = port.bigEndian
      system.sin6_addr = IPAddress.v6(bits)
      system.sin6_scope_id = scope
      return unsafe Self.call(&system, body)
    }
  }

  private static func call<Address>(
    _ address: inout Address, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Int32
  ) -> Int32 {
    unsafe withUnsafePointer(to: &address) { pointer in
      unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        unsafe body($0, socklen_t(MemoryLayout<Address>.size))
      }
    }
  }

  /// Creates an address from the system's format; nil for other address families.
  ///
  /// - Parameter pointer: An address, with as many bytes as its family has.
  init?(_ pointer: UnsafePointer<sockaddr>) {
    let raw = unsafe UnsafeRawPointer(pointer)
    switch Int32(unsafe pointer.pointee.sa_family) {
    case AF_INET:
      let system = unsafe raw.loadUnaligned(as: sockaddr_in.self)
      self.init(
        .v4(UInt32(bigEndian: system.sin_addr.s_addr)), port: UInt16(bigEndian: system.sin_port))
    case AF_INET6:
      let system = unsafe raw.loadUnaligned(as: sockaddr_in6.self)
      self.init(
        .v6(IPAddress.bits(of: system.sin6_addr), scope: system.sin6_scope_id),
        port: UInt16(bigEndian: system.sin6_port))
    default: return nil
    }
  }

  /// Creates an address that the system has written.
  init?(_ system: System) {
    let address = unsafe withUnsafePointer(to: system.storage) { storage in
      unsafe storage.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        unsafe SocketAddress($0)
      }
    }
    guard let address else { return nil }
    self = address
  }
}
