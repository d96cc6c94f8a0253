// SPDX-License-Identifier: Apache-2.0
internal import Glibc

/// Asks one descriptor whether it can be read or written.
package enum DescriptorPoll {
  /// Waits until it can, or is at its end, for some milliseconds at most.
  ///
  /// - Parameters:
  ///   - descriptor: the descriptor.
  ///   - events: `POLLIN` or `POLLOUT`.
  ///   - milliseconds: how long it may take.
  /// - Returns: what poll(2) returns: 0 where it cannot, below 0 where it was interrupted.
  package static func poll(_ descriptor: Int32, for events: Int32, within milliseconds: Int32)
    -> Int32
  {
    // A `pollfd` by its fields: several C modules have that type, and from which of them a compiler
    // takes its members depends on the files that it reads together.
    var entry = (descriptor, Int16(events), Int16(0))
    return unsafe withUnsafeMutableBytes(of: &entry) { bytes in
      unsafe Glibc.poll(bytes.assumingMemoryBound(to: pollfd.self).baseAddress, 1, milliseconds)
    }
  }
}
