// SPDX-License-Identifier: Apache-2.0
internal import Foundation
internal import Synchronization

/// The magic cookie of a format, which any thread may read and set.
final class CookieStore: Sendable {
  private let stored = Mutex<Data?>(nil)

  var data: Data? {
    get { stored.withLock { $0 } }
    set { stored.withLock { $0 = newValue } }
  }
}
