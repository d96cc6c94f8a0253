// SPDX-License-Identifier: Apache-2.0
internal import Glibc

extension IPAddress: CustomStringConvertible {
  /// Parses a numeric address; nil for any other text, including host names.
  ///
  /// - Parameter text: An address such as `192.168.0.5`, `fe80::1%eth0` or `::1`, without brackets.
  package init?(_ text: some StringProtocol) {
    let parts = text.split(separator: "%", maxSplits: 1, omittingEmptySubsequences: false)
    let digits = String(parts[0])
    if parts.count == 1, let address = Self.v4(digits) {
      self = address
      return
    }
    var bytes = in6_addr()
    guard unsafe inet_pton(AF_INET6, digits, &bytes) == 1 else { return nil }
    guard let scope = parts.count == 1 ? 0 : Self.scope(String(parts[1])) else { return nil }
    self = .v6(Self.bits(of: bytes), scope: scope)
  }

  private static func v4(_ text: String) -> IPAddress? {
    var bytes = in_addr()
    guard unsafe inet_pton(AF_INET, text, &bytes) == 1 else { return nil }
    return .v4(UInt32(bigEndian: bytes.s_addr))
  }

  /// The number of an interface, which is given by name or number.
  private static func scope(_ text: String) -> UInt32? {
    if let index = UInt32(text) { return index }
    let index = unsafe if_nametoindex(text)
    return index == 0 ? nil : index
  }

  static func bits(of address: in6_addr) -> UInt128 {
    unsafe withUnsafeBytes(of: address) { bytes in
      unsafe UInt128(bigEndian: bytes.loadUnaligned(as: UInt128.self))
    }
  }

  static func v6(_ bits: UInt128) -> in6_addr {
    var address = in6_addr()
    unsafe withUnsafeMutableBytes(of: &address) { bytes in
      unsafe bytes.storeBytes(of: bits.bigEndian, as: UInt128.self)
    }
    return address
  }

  /// The numeric form, such as `192.168.0.5` or `fe80::1%2`.
  package var description: String {
    switch self {
    case .v4(let bits):
      return stride(from: 24, through: 0, by: -8).map { String(bits >> $0 & 255) }
        .joined(separator: ".")
    case .v6(let bits, let scope):
      var address = Self.v6(bits)
      let text = unsafe withUnsafeTemporaryAllocation(of: CChar.self, capacity: 64) { room in
        // 46 bytes are enough for the longest address.
        unsafe inet_ntop(AF_INET6, &address, room.baseAddress, 64)
          .map { unsafe String(cString: $0) } ?? ""
      }
      return scope == 0 ? text : "\(text)%\(scope)"
    }
  }
}
