// SPDX-License-Identifier: Apache-2.0
internal import Glibc

/// Waits for a single descriptor.
package enum DescriptorPoll {
  /// Waits until a descriptor can be read or written, or is at its end, with a time limit.
  ///
  /// - Parameters:
  ///   - descriptor: The descriptor.
  ///   - events: `POLLIN` or `POLLOUT`.
  ///   - milliseconds: The time limit in milliseconds.
  /// - Returns: The result of poll(2): 0 after the time limit, negative after an interruption.
  package static func poll(_ descriptor: Int32, for events: Int32, within milliseconds: Int32)
    -> Int32
  {
    // A tuple with the layout of `pollfd`: several C modules have that type, and which of them a
    // compiler uses depends on the other files in the module.
    var entry = (descriptor, Int16(events), Int16(0))
    return unsafe withUnsafeMutableBytes(of: &entry) { bytes in
      unsafe Glibc.poll(bytes.assumingMemoryBound(to: pollfd.self).baseAddress, 1, milliseconds)
    }
  }
}
