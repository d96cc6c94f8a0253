// SPDX-License-Identifier: Apache-2.0
internal import Glibc

/// Which of many sockets have something to be read, in one call that does not wait.
///
/// Source: poll(2).
package enum Readiness {
  /// The places of those that are readable, or at their end.
  ///
  /// - Parameter descriptors: The sockets' descriptors.
  /// - Returns: Places in the list, in their order.
  /// - Complexity: O(n) in the number of sockets.
  package static func readable(_ descriptors: [Int32]) -> [Int] {
    var list = descriptors.map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
    guard unsafe poll(&list, nfds_t(list.count), 0) > 0 else { return [] }
    return list.indices.filter { list[$0].revents != 0 }
  }
}
