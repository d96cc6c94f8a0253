// SPDX-License-Identifier: Apache-2.0
internal import CoreAudioTypes

/// The memory of one or more block buffers, which is freed with the last of them.
@safe
final class BlockMemory: @unchecked Sendable {
  // Unchecked: the address does not change; programs share the bytes at their own risk, as on
  // Apple's systems.

  let base: UnsafeMutableRawPointer
  let byteCount: Int
  private let release: () -> Void

  /// Uses memory of a program.
  @unsafe
  init(_ base: UnsafeMutableRawPointer, byteCount: Int, release: @escaping () -> Void) {
    unsafe self.base = base
    self.byteCount = byteCount
    self.release = release
  }

  /// Allocates bytes of 0; nil if memory runs out.
  convenience init?(byteCount: Int) {
    guard byteCount >= 0, let base = unsafe calloc(max(1, byteCount), 1) else { return nil }
    unsafe self.init(base, byteCount: byteCount) { unsafe free(base) }
  }

  deinit { release() }
}
