// SPDX-License-Identifier: Apache-2.0
import CommandKit
import Synchronization

/// A stream that keeps all bytes written to it.
final class CollectingStream: ConsoleStream {
  private let collected = Mutex<[UInt8]>([])

  var bytes: [UInt8] { collected.withLock { $0 } }

  func write(_ bytes: UnsafeRawBufferPointer) {
    let bytes = unsafe Array(bytes)
    collected.withLock { $0 += bytes }
  }
}
