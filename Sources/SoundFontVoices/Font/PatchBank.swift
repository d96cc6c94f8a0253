// SPDX-License-Identifier: Apache-2.0
internal import Glibc
package import SoundFontFiles
internal import Synchronization

/// All that a voice needs of one or more SoundFonts: presets as regions, and their samples in memory.
///
/// Presets are those of FluidSynth 2.3.1, region for region: which zones there are, in which order
/// they sound, what they set, which samples are heard and where their loops lie.
///
/// - Note: Immutable but for what `load` brings in, so that any thread may read it; what the render
///   thread asks neither allocates nor locks.
@safe
package final class PatchBank: @unchecked Sendable {
  /// One of the fonts; where two have a preset, the first plays it.
  package struct Layer {
    /// The file's name, for messages.
    package let path: String
    /// The font.
    package let bytes: FontBytes
    /// The tables of the same bytes.
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

    /// Where presets of one of the font's banks are found; nil for nowhere.
    ///
    /// A channel plays kits because of its mode, not its bank: they are not moved, and no other bank is
    /// moved to their place. In a song's own file, banks that would be above 127 become bank 0.
    ///
    /// Source: SF2 RMIDI specification, revision 1.19.
    package func bank(of number: Int) -> Int? {
      guard number != Self.kits else { return number }
      let moved = number + bankOffset
      if isEmbedded { return (0..<Self.kits).contains(moved) ? moved : 0 }
      return moved < 0 || moved == Self.kits ? nil : moved
    }
  }

  /// A preset's number, and where its regions are.
  private struct Patch: BitwiseCopyable {
    let bank: Int
    let program: Int
    let start: Int
    let end: Int
  }

  /// The samples of all fonts in one range of addresses, as frames; what regions count from.
  ///
  /// Before the first and behind each come at least eight frames of silence.
  let samples: UnsafePointer<Int16>
  /// What frames of 24 bits have below their upper 16, each at its frame's number; nil where no font has
  /// such.
  let lowBytes: UnsafePointer<UInt8>?

  /// The number of patches; they are numbered from 0, by bank and program.
  package let patchCount: Int

  private let patches: UnsafeMutablePointer<Patch>
  /// Written by `load` alone, in a region of a patch that nobody plays yet.
  private let regions: UnsafeMutablePointer<Region>
  private let regionSamples: [Int]
  private let modulators: ModulatorLists
  private let fontSamples: Mutex<FontSamples>

  /// Reads the presets of some programs, and 0, or of all; no sample is read yet.
  ///
  /// A font that has none of the programs is read whole. The loudest font is left as it is; from
  /// the others their gains take.
  ///
  /// - Throws: `SoundFontVoicesError` if a font changed after its tables were read, contains too
  ///   much, or if its samples need more memory than there is.
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

  /// The number of the patch that is a preset; below 0 where no font has it.
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

  /// The preset that a patch is.
  @_noAllocation @_noLocks
  package func preset(of patch: Int) -> (bank: Int, program: Int) {
    unsafe (patches[patch].bank, patches[patch].program)
  }

  /// The regions of a patch, in the order in which they are struck.
  @_noAllocation @_noLocks
  func regions(of patch: Int) -> UnsafeBufferPointer<Region> {
    let (start, end) = unsafe (patches[patch].start, patches[patch].end)
    return unsafe UnsafeBufferPointer(start: regions + start, count: end - start)
  }

  /// Brings the samples of a patch into memory, so that the render thread waits for no page.
  ///
  /// Until then they are silent, and one that cannot be read stays so. Once it is loaded, a patch is
  /// left as it is.
  ///
  /// - Note: Any thread but the render thread; the first time while nobody plays the patch.
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
