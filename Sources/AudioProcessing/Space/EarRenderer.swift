// SPDX-License-Identifier: Apache-2.0
internal import CRealtime

/// Renders the sound at both ears: each source is convolved with the filter of its direction.
///
/// The spectra of all sources are added before the inverse transform. When a filter changes, the
/// source is filtered by the old and the new filter, with a crossfade. Each ear therefore has three
/// sums, for any number of sources.
///
/// - Note: Real-time safe except for creation and destruction.
@safe
struct EarRenderer: BitwiseCopyable {
  typealias Samples = UnsafeMutablePointer<Float>

  @safe
  private struct Source: BitwiseCopyable {
    var filter: Samples
    var nextFilter: Samples
    /// The spectra of the last input blocks for each ear, left then right.
    let heard: Samples
    /// The spectrum of each ear's last quantum.
    let last: Samples
    var newest = 0
    var delays = (left: Float(0), right: Float(0))
  }

  private enum Sum: Int { case steady, falling, rising }

  private let transform: RightAngleTransform
  private let field: HeadField
  private let table: FractionTable
  private let sources: UnsafeMutablePointer<Source>
  private let count: Int
  private let sums: Samples
  private let sound: Samples
  private let spectrum: Samples
  private var isFading = false

  /// Creates a renderer, which the owner deallocates.
  init(_ responses: HeadResponses, sourceCount: Int, _ table: FractionTable) {
    let transform = RightAngleTransform(count: AudioFormat.quantum)
    let field = HeadField(responses, transform)
    self.transform = transform
    self.field = field
    self.table = table
    count = sourceCount
    unsafe sources = .allocate(capacity: sourceCount)
    for index in 0..<sourceCount {
      unsafe (sources + index).initialize(
        to: Source(
          filter: RightAngleTransform.allocate(field.filterSize),
          nextFilter: RightAngleTransform.allocate(field.filterSize),
          heard: RightAngleTransform.allocate(field.filterSize),
          last: RightAngleTransform.allocate(2 * HeadField.partSize)))
    }
    unsafe sums = RightAngleTransform.allocate(6 * HeadField.partSize)
    unsafe sound = SampleLoop.allocate(channelCount: 1)
    unsafe spectrum = RightAngleTransform.allocate(HeadField.partSize)
  }

  func deallocate() {
    for index in 0..<count {
      unsafe sources[index].filter.deallocate()
      unsafe sources[index].nextFilter.deallocate()
      unsafe sources[index].heard.deallocate()
      unsafe sources[index].last.deallocate()
    }
    unsafe sources.deallocate()
    unsafe sums.deallocate()
    unsafe sound.deallocate()
    unsafe spectrum.deallocate()
    field.deallocate()
    transform.deallocate()
  }

  /// The quanta for which a sound continues after its end.
  var quantumCount: Int {
    @_noAllocation @_noLocks
    get { field.partCount &+ 1 }
  }

  @_noAllocation @_noLocks
  private func sum(_ sum: Sum, ear: Int) -> Samples {
    unsafe sums + (sum.rawValue &* 2 &+ ear) &* HeadField.partSize
  }

  /// Starts a quantum.
  @_noAllocation @_noLocks
  mutating func begin() {
    unsafe sums.update(repeating: 0, count: 6 &* HeadField.partSize)
    isFading = false
  }

  /// Moves a silent source to a place immediately.
  @_noAllocation @_noLocks
  func settle(_ index: Int, at place: SourcePlace) {
    let source = unsafe sources + index
    let mixture = field.find(place)
    unsafe field.mix(mixture, into: source.pointee.filter)
    unsafe source.pointee.delays = mixture.delays
  }

  /// Adds a quantum of a source, which may have moved.
  @_noAllocation @_noLocks
  mutating func add(
    _ index: Int, _ line: SourceLine, _ places: UnsafePointer<Double>?, to place: SourcePlace?
  ) {
    let source = unsafe sources + index
    let old = unsafe source.pointee.delays
    var mixture: HeadMixture?
    if let place {
      let found = field.find(place)
      unsafe source.pointee.delays = found.delays
      mixture = found
    }
    unsafe source.pointee.newest =
      source.pointee.newest == 0 ? field.partCount &- 1 : source.pointee.newest &- 1
    let new = unsafe source.pointee.delays
    unsafe hear(source, 0, line, places, from: old.left, to: new.left)
    unsafe hear(source, 1, line, places, from: old.right, to: new.right)
    guard let mixture else {
      for ear in 0..<2 { unsafe multiply(source, ear) }
      return
    }
    for ear in 0..<2 { unsafe fade(source, ear, to: mixture) }
    isFading = true
    let filter = unsafe source.pointee.filter
    unsafe source.pointee.filter = source.pointee.nextFilter
    unsafe source.pointee.nextFilter = filter
  }

  /// Transforms the input of one ear for a quantum.
  ///
  /// A quantum's spectrum minus i times the spectrum before is the spectrum of both. The real part
  /// of its product contains the complete output of the quantum, including the tail of the quantum
  /// before.
  @_noAllocation @_noLocks
  private func hear(
    _ source: UnsafeMutablePointer<Source>, _ ear: Int, _ line: SourceLine,
    _ places: UnsafePointer<Double>?, from old: Float, to new: Float
  ) {
    unsafe line.read(into: sound, places, laterFrom: old, to: new, table)
    unsafe transform.transform(sound, into: spectrum)
    let slot = unsafe ear &* field.partCount &+ source.pointee.newest
    let both = unsafe SampleLoop.lanes(source.pointee.heard + slot &* HeadField.partSize)
    let last = unsafe SampleLoop.lanes(source.pointee.last + ear &* HeadField.partSize)
    let now = unsafe SampleLoop.lanes(spectrum)
    let count = SampleLoop.laneCount
    for lane in 0..<count {
      let (real, imaginary) = unsafe (now[lane], now[count &+ lane])
      unsafe both[lane] = real + last[count &+ lane]
      unsafe both[count &+ lane] = imaginary - last[lane]
      unsafe last[lane] = real
      unsafe last[count &+ lane] = imaginary
    }
  }

  /// Adds the products of an ear's last input blocks with the partitions of its filter.
  @_noAllocation @_noLocks
  private func multiply(_ source: UnsafeMutablePointer<Source>, _ ear: Int) {
    let first = ear &* field.partCount &* HeadField.partSize
    let newest = unsafe source.pointee.newest
    let heard = unsafe source.pointee.heard + first
    let filter = unsafe source.pointee.filter + first
    let whole = field.partCount &- newest
    let sum = unsafe sum(.steady, ear: ear)
    unsafe crealtime_multiply_spectra(heard + newest &* HeadField.partSize, filter, sum, whole)
    unsafe crealtime_multiply_spectra(heard, filter + whole &* HeadField.partSize, sum, newest)
  }

  /// Multiplies with the old filter and with the new one, which is mixed at the same time.
  @_noAllocation @_noLocks
  private func fade(
    _ source: UnsafeMutablePointer<Source>, _ ear: Int, to mixture: HeadMixture
  ) {
    let first = ear &* field.partCount &* HeadField.partSize
    let newest = unsafe source.pointee.newest
    let whole = field.partCount &- newest
    let heard = unsafe source.pointee.heard + first
    let count: Int32 = mixture.isOnRow ? 2 : 4
    let shares = mixture.weights
    var fade = unsafe crealtime_fade(
      heard: heard + newest &* HeadField.partSize, old: source.pointee.filter + first,
      corners: (
        field.corner(0, of: mixture) + first, field.corner(1, of: mixture) + first,
        field.corner(2, of: mixture) + first, field.corner(3, of: mixture) + first
      ),
      shares: (shares.x, shares.y, shares.z, shares.w),
      mixed: source.pointee.nextFilter + first, falling: sum(.falling, ear: ear),
      rising: sum(.rising, ear: ear))
    unsafe crealtime_fade_spectra(&fade, whole, count)
    unsafe fade.heard = UnsafePointer(heard)
    unsafe crealtime_fade_spectra(&fade, newest, count)
  }

  /// Writes the sound of both ears.
  @_noAllocation @_noLocks
  func finish(_ output: Bus) {
    for ear in 0..<2 {
      let steady = unsafe sum(.steady, ear: ear)
      unsafe transform.restore(steady)
      unsafe SampleLoop.copy(steady, to: output.channel(ear))
      guard isFading else { continue }
      let (falling, rising) = unsafe (sum(.falling, ear: ear), sum(.rising, ear: ear))
      unsafe transform.restore(falling)
      unsafe transform.restore(rising)
      let target = unsafe output.channel(ear)
      for frame in 0..<AudioFormat.quantum {
        let part = Float(frame &+ 1) / Float(AudioFormat.quantum)
        unsafe target[frame] += falling[frame] + part * (rising[frame] - falling[frame])
      }
    }
  }
}
