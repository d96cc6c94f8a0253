// SPDX-License-Identifier: Apache-2.0

/// Marks for regions whose voices continue on another key, so that they are not started for it
/// again.
///
/// As in FluidSynth, a mark remains until the region is used next, by any channel.
///
/// - Note: Real-time safe except for creation and destruction.
@safe
struct BoundRegions: ~Copyable {
  private let first: UnsafePointer<Region>?
  private let marks: UnsafeMutablePointer<UInt8>
  private var count = 0

  init(_ bank: PatchBank) {
    var regionCount = 0
    var first: UnsafePointer<Region>?
    for patch in 0..<bank.patchCount {
      let regions = unsafe bank.regions(of: patch)
      guard let own = regions.baseAddress else { continue }
      if let known = unsafe first { unsafe first = min(known, own) } else { unsafe first = own }
    }
    for patch in 0..<bank.patchCount {
      let regions = unsafe bank.regions(of: patch)
      guard let first = unsafe first, let own = regions.baseAddress else { continue }
      regionCount = unsafe max(regionCount, own - first + regions.count)
    }
    unsafe self.first = first
    unsafe marks = .allocate(capacity: max(1, regionCount))
    unsafe marks.initialize(repeating: 0, count: max(1, regionCount))
  }

  deinit {
    unsafe marks.deallocate()
  }

  @_noAllocation @_noLocks
  mutating func mark(_ region: UnsafePointer<Region>) {
    guard let first = unsafe first, unsafe marks[region - first] == 0 else { return }
    unsafe marks[region - first] = 1
    count &+= 1
  }

  /// Returns true if a region has a mark, and removes it.
  @_noAllocation @_noLocks
  mutating func take(_ region: UnsafePointer<Region>) -> Bool {
    guard count > 0, let first = unsafe first, unsafe marks[region - first] != 0 else {
      return false
    }
    unsafe marks[region - first] = 0
    count &-= 1
    return true
  }
}
