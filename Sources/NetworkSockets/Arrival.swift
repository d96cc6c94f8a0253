// SPDX-License-Identifier: Apache-2.0
internal import Glibc

/// The information about a datagram that recvmsg(2) returns in addition to its bytes.
///
/// Source: cmsg(3), whose macros are not available in Swift.
@safe
struct Arrival {
  /// The oldest accepted time stamp, in nanoseconds.
  ///
  /// If it is older, the clock was set.
  private static let longestWait: Int64 = 1_000_000_000
  /// The size of `struct cmsghdr` without its data: a length that includes the header, a level and
  /// a type.
  private static let headerSize = MemoryLayout<Int>.size + 8

  private(set) var sender: SocketAddress?
  private(set) var isCut = false
  private(set) var time: Int64 = 0
  private(set) var droppedCount: UInt32?

  /// Receives a datagram.
  ///
  /// - Returns: The number of bytes in the buffer, or −1 with the error in `errno`.
  mutating func take(_ descriptor: Int32, _ buffer: UnsafeMutableRawBufferPointer) -> Int {
    var system = SocketAddress.System()
    return unsafe withUnsafeTemporaryAllocation(byteCount: 128, alignment: 8) { control in
      var part = unsafe iovec(iov_base: buffer.baseAddress, iov_len: buffer.count)
      var header = unsafe msghdr()
      let count = unsafe withUnsafeMutablePointer(to: &system.storage) { name in
        unsafe withUnsafeMutablePointer(to: &part) { part in
          unsafe header.msg_name = UnsafeMutableRawPointer(name)
          unsafe header.msg_namelen = system.size
          unsafe header.msg_iov = part
          unsafe header.msg_iovlen = 1
          unsafe header.msg_control = control.baseAddress
          unsafe header.msg_controllen = control.count
          return unsafe recvmsg(descriptor, &header, Int32(MSG_DONTWAIT))
        }
      }
      guard count >= 0 else { return -1 }
      sender = SocketAddress(system)
      isCut = unsafe header.msg_flags & Int32(MSG_TRUNC) != 0
      time = Self.now(CLOCK_MONOTONIC)
      let length = unsafe min(control.count, Int(header.msg_controllen))
      unsafe read(UnsafeRawBufferPointer(rebasing: control[..<length]))
      return count
    }
  }

  private mutating func read(_ control: UnsafeRawBufferPointer) {
    var place = 0
    while place + Self.headerSize <= control.count {
      let size = unsafe control.loadUnaligned(fromByteOffset: place, as: Int.self)
      guard size >= Self.headerSize, size <= control.count - place else { return }
      let type = unsafe control.loadUnaligned(
        fromByteOffset: place + MemoryLayout<Int>.size + 4, as: Int32.self)
      let data = unsafe UnsafeRawBufferPointer(
        rebasing: control[(place + Self.headerSize)..<(place + size)])
      if type == UDPSocket.Option.timestamp, data.count >= MemoryLayout<timespec>.size {
        take(stamp: unsafe data.loadUnaligned(as: timespec.self))
      } else if type == UDPSocket.Option.overflow, data.count >= 4 {
        droppedCount = unsafe data.loadUnaligned(as: UInt32.self)
      }
      let word = MemoryLayout<Int>.size
      place += (size + word - 1) / word * word
    }
  }

  /// Applies a time stamp of `CLOCK_REALTIME`, which can be set; the age is the same on both
  /// clocks.
  private mutating func take(stamp: timespec) {
    let age = Self.now(CLOCK_REALTIME) - Self.nanoseconds(stamp)
    if (0...Self.longestWait).contains(age) { time -= age }
  }

  private static func now(_ clock: clockid_t) -> Int64 {
    var time = timespec()
    unsafe clock_gettime(clock, &time)
    return nanoseconds(time)
  }

  private static func nanoseconds(_ time: timespec) -> Int64 {
    Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
  }
}
