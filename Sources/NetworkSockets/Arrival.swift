// SPDX-License-Identifier: Apache-2.0
internal import Glibc

/// What recvmsg(2) writes beside a datagram's bytes.
///
/// Source: cmsg(3), whose macros Swift does not see.
@safe
struct Arrival {
  /// The oldest stamp that is believed, in nanoseconds: with an older one the clock was set.
  private static let longestWait: Int64 = 1_000_000_000
  /// `struct cmsghdr` without its data: its length, counted from its start, a level and a type.
  private static let headerSize = MemoryLayout<Int>.size + 8

  private(set) var sender: SocketAddress?
  private(set) var isCut = false
  private(set) var time: Int64 = 0
  private(set) var droppedCount: UInt32?

  /// Takes a datagram; how many bytes it had in the buffer, or −1 with an error number.
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

  /// The stamp is on the clock that people set; how long ago it was is the same on both.
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
