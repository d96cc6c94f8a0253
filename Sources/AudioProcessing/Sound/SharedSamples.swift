// SPDX-License-Identifier: Apache-2.0

/// Memory for samples that several units share; one of them plays at a time.
///
/// Clear a unit (`RenderStep.clear`) before it plays after another one: until then the memory holds the
/// sound of the other.
@safe
package final class SharedSamples: Sendable {
  // Vouched for: units render on one thread, one at a time.
  nonisolated(unsafe) let samples: UnsafeMutablePointer<Float>
  /// The samples there are.
  package let count: Int

  /// Makes silent samples.
  package init(count: Int) {
    self.count = count
    unsafe samples = .allocate(capacity: max(1, count))
    unsafe samples.initialize(repeating: 0, count: max(1, count))
  }

  deinit {
    unsafe samples.deallocate()
  }
}
