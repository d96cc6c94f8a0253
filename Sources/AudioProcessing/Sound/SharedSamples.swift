// SPDX-License-Identifier: Apache-2.0

/// Memory for samples that several units share, of which only one renders at a time.
///
/// Before a unit renders after another one, clear it with `RenderStep.clear`; until then the memory
/// contains the sound of the other.
@safe
package final class SharedSamples: Sendable {
  // Vouched for: the units render on one thread, one at a time.
  nonisolated(unsafe) let samples: UnsafeMutablePointer<Float>
  /// The number of samples.
  package let count: Int

  /// Allocates silent samples.
  package init(count: Int) {
    self.count = count
    unsafe samples = .allocate(capacity: max(1, count))
    unsafe samples.initialize(repeating: 0, count: max(1, count))
  }

  deinit {
    unsafe samples.deallocate()
  }
}
