// SPDX-License-Identifier: Apache-2.0
internal import Glibc
package import SoundFontFiles
internal import Synchronization

/// One or more soundfonts, prepared for voices: presets as regions, and samples in memory.
///
/// Presets are those of FluidSynth 2.3.1, region for region: the zones, their order, their
/// settings, the samples and the loops.
///
/// - Note: Immutable except for what `load` reads, so any thread may read it. Methods for the
///   render thread neither allocate nor lock.
@safe
package final class PatchBank: @unchecked Sendable {
  /// One of the fonts.
  ///
  /// If two have a preset, the first font plays it.
  package struct Layer {
    /// The name of the file, for messages.
    package let path: String
    /// The bytes of the font.
    package let bytes: FontBytes
    /// The tables of the font.
    package let tables: SoundFontTables
    package let bankOffset: Int
    package let gain: Float
    /// True for the bank in a song's own file.
    package let isEmbedded: Bool

    package init(
      path: String, bytes: FontBytes, tables: SoundFontTables, bankOffset: Int = 0,
      gain: Float = 1, isEmbedded: Bool = false
    ) {
      (self.path, self.bytes, self.tables) = (path, bytes, tables)
      (self.bankOffset, self.gain, self.isEmbedded) = (bankOffset, gain, isEmbedded)
    }

    /// The bank of drum kits.
    private static let kits = 128

    /// The bank in which presets of one of the font's banks are found; nil if they cannot be
    /// selected.
    ///
    /// A channel plays kits because of its mode, not its bank, so kits are not moved, and other
    /// banks are not moved to theirs. In a song's own file, banks that would exceed 127 become bank
    /// 0.
    ///
    /// Source: SF2 RMIDI specification, revision 1.19.
    package func bank(of number: Int) -> Int? {
      guard number != Self.kits else { return number }
      let moved = number + bankOffset
      if isEmbedded { return (0..<Self.kits).contains(moved) ? moved : 0 }
      return moved < 0 || moved == Self.kits ? nil : moved
    }
  }

  /// The bank and program of a preset, and its range of regions.
  private struct Patch: BitwiseCopyable {
    let bank: Int
    let program: Int
    let start: Int
    let end: Int
  }

  /// The frames of all samples, in one range of addresses, relative to which regions are stored.
  ///
  /// At least eight silent frames precede the first sample and follow each sample.
  let samples: UnsafePointer<Int16>
  /// The bits of 24-bit frames below the upper 16, at the same indices; nil if fonts do not have
  /// such frames.
  let lowBytes: UnsafePointer<UInt8>?

  /// The number of patches.
  ///
  /// They are numbered from 0, by bank and program.
  package let patchCount: Int

  private let patches: UnsafeMutablePointer<Patch>
  /// Only `load` writes it, in a region of a patch that is not played yet.
  private let regions: UnsafeMutablePointer<Region>
  private let regionSamples: [Int]
  private let modulators: ModulatorLists
  private let fontSamples: Mutex<FontSamples>

  /// Reads the presets of some programs and of program 0, or of all programs.
  ///
  /// Samples are not read yet.
  ///
  /// A font without any of the programs is read completely. The loudest font is unchanged, and the
  /// others are attenuated by their gains.
  ///
  /// - Throws: `SoundFontVoicesError` if a font changed after its tables were read, if it contains
  ///   too much, or if memory for its samples is short.
  /// - Complexity: O(n) in the number of regions.
  package init(_ layers: [Layer], programs: Set<Int>?) throws(SoundFontVoicesError) {
    var reader = PatchReader()
    var sources: [FontSamples.Source] = []
    let loudest = layers.map(\.gain).max() ?? 1
    for (number, layer) in layers.enumerated() {
      sources.append(try FontSamples.Source(layer))
      let taken = layer.gain < loudest ? 200 * log10f(loudest / max(layer.gain, 1e-7)) : 0
      try reader.read(
        layer, sources[number], number: number, attenuation: taken, programs: programs)
    }
    let fontSamples = try FontSamples(
      reader.samples, frameCount: reader.frameCount, sources: sources)
    unsafe samples = UnsafePointer(fontSamples.first)
    unsafe lowBytes = fontSamples.firstLowByte.map { unsafe UnsafePointer($0) }
    self.fontSamples = Mutex(fontSamples)
    let sorted = reader.patches.sorted { ($0.bank, $0.program) < ($1.bank, $1.program) }
    patchCount = sorted.count
    unsafe patches = .allocate(capacity: sorted.count)
    for (index, patch) in sorted.enumerated() {
      unsafe (patches + index).initialize(
        to: Patch(
          bank: patch.bank, program: patch.program, start: patch.regions.lowerBound,
          end: patch.regions.upperBound))
    }
    unsafe regions = .allocate(capacity: reader.regions.count)
    for (index, region) in reader.regions.enumerated() {
      unsafe (regions + index).initialize(to: region)
    }
    regionSamples = reader.regionSamples
    modulators = reader.modulators
  }

  deinit {
    unsafe patches.deallocate()
    unsafe regions.deallocate()
  }

  /// The index of the patch for a preset; below 0 if fonts do not have it.
  ///
  /// - Complexity: O(log n) in the number of patches.
  @_noAllocation @_noLocks
  package func patch(bank: Int, program: Int) -> Int {
    var (low, high) = (0, patchCount)
    while low < high {
      let middle = (low + high) / 2
      let isBefore =
        unsafe patches[middle].bank != bank
        ? patches[middle].bank < bank : patches[middle].program < program
      if isBefore { low = middle + 1 } else { high = middle }
    }
    guard low < patchCount, unsafe patches[low].bank == bank,
      unsafe patches[low].program == program
    else { return -1 }
    return low
  }

  /// The bank and program of a patch.
  @_noAllocation @_noLocks
  package func preset(of patch: Int) -> (bank: Int, program: Int) {
    unsafe (patches[patch].bank, patches[patch].program)
  }

  /// The regions of a patch, in the order of play.
  @_noAllocation @_noLocks
  func regions(of patch: Int) -> UnsafeBufferPointer<Region> {
    let (start, end) = unsafe (patches[patch].start, patches[patch].end)
    return unsafe UnsafeBufferPointer(start: regions + start, count: end - start)
  }

  /// Reads the samples of a patch into memory, so that the render thread does not wait for pages.
  ///
  /// Samples are silent until they are read, and remain silent if they cannot be read. A patch is
  /// read only once.
  ///
  /// - Note: Any thread except the render thread; the first time while the patch is not played.
  /// - Complexity: O(n) in the frames that are read.
  package func load(_ patch: Int) {
    let range = unsafe patches[patch].start..<patches[patch].end
    fontSamples.withLock { samples in
      for index in range where unsafe regions[index].noiseFloor == 0 {
        unsafe regions[index].noiseFloor = samples.load(regionSamples[index])
      }
    }
  }
}
