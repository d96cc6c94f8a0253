// SPDX-License-Identifier: Apache-2.0

/// Regions whose voices went on to another key, so that they are not struck for it.
///
/// As in FluidSynth a mark stays until the region is looked at next, by whatever channel.
///
/// - Note: Real-time safe but for creation and destruction.
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

  /// Whether a region has a mark, which it loses.
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
