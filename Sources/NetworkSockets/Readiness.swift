// SPDX-License-Identifier: Apache-2.0
internal import Glibc

/// Checks many sockets for readable data in one call that does not wait.
///
/// Source: poll(2).
package enum Readiness {
  /// The indices of the sockets that are readable or at their end.
  ///
  /// - Parameter descriptors: The descriptors of the sockets.
  /// - Returns: The indices in the list, in order.
  /// - Complexity: O(n) in the number of sockets.
  package static func readable(_ descriptors: [Int32]) -> [Int] {
    var list = descriptors.map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
    guard unsafe poll(&list, nfds_t(list.count), 0) > 0 else { return [] }
    return list.indices.filter { list[$0].revents != 0 }
  }
}
