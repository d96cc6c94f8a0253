// SPDX-License-Identifier: Apache-2.0

/// Regions whose voices go on to another key, so that they are not struck again.
@safe
struct BoundRegions: BitwiseCopyable {
  private var regions: InlineArray<32, UnsafePointer<Region>?> = unsafe InlineArray(repeating: nil)
  private(set) var count = 0

  @_noAllocation @_noLocks
  mutating func add(_ region: UnsafePointer<Region>) {
    guard count < 32 else { return }
    unsafe regions[count] = region
    count &+= 1
  }

  @_noAllocation @_noLocks
  mutating func removeAll() { count = 0 }

  @_noAllocation @_noLocks
  func contains(_ region: UnsafePointer<Region>) -> Bool {
    for index in 0..<count where unsafe regions[index] == region { return true }
    return false
  }
}
