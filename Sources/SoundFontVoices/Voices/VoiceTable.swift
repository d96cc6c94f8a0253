// SPDX-License-Identifier: Apache-2.0
internal import CSoundFontVoices

/// The voices by index, the free slots, and the groups of eight that are rendered.
///
/// Slots and lanes are assigned from the lowest, and voices are moved together only when a voice
/// starts. The sound therefore depends only on the messages and their quanta.
///
/// - Note: Real-time safe except for creation and destruction.
@safe
struct VoiceTable: ~Copyable {
  // Keep a pointer first: for the thread sanitizer, the compiler of Swift 6.3 reports the first field
  // as an address, and it fails if that field is an integer.
  let marks: UnsafeMutablePointer<VoiceMark>
  let capacity: Int
  let voices: UnsafeMutablePointer<Voice>
  let controls: UnsafeMutablePointer<CVoice>
  let groups: UnsafeMutablePointer<CVoiceGroup>
  /// A bit for each free slot.
  private let freePlaces: UnsafeMutablePointer<UInt64>
  private(set) var count = 0
  /// One more than the highest used slot.
  private(set) var bound = 0
  /// The number of groups in use.
  private(set) var groupCount = 0
  /// The number of full groups at the start, and of words of `freePlaces` without a free slot.
  ///
  /// They make the cost of starting a voice independent of the number of voices.
  private var fullGroupCount = 0
  private var fullWordCount = 0

  init(capacity: Int) {
    self.capacity = capacity
    unsafe marks = .allocate(capacity: capacity)
    unsafe marks.initialize(repeating: VoiceMark(), count: capacity)
    unsafe voices = .allocate(capacity: capacity)
    // Written here, so that the render thread does not wait for pages.
    let size = capacity * MemoryLayout<Voice>.stride
    unsafe UnsafeMutableRawPointer(voices).initializeMemory(
      as: UInt8.self, repeating: 0, count: size)
    unsafe controls = .allocate(capacity: capacity)
    unsafe controls.initialize(repeating: CVoice(), count: capacity)
    let groupLimit = (capacity + 7) / 8 + 3
    let bytes = groupLimit * MemoryLayout<CVoiceGroup>.stride
    unsafe groups = UnsafeMutableRawPointer.allocate(byteCount: bytes, alignment: 64)
      .bindMemory(to: CVoiceGroup.self, capacity: groupLimit)
    unsafe groups.initialize(repeating: CVoiceGroup(), count: groupLimit)
    let words = (capacity + 63) / 64
    unsafe freePlaces = .allocate(capacity: words)
    for word in 0..<words {
      let left = capacity - word * 64
      unsafe (freePlaces + word).initialize(to: left >= 64 ? .max : (1 << UInt64(left)) - 1)
    }
  }

  deinit {
    unsafe marks.deallocate()
    unsafe voices.deallocate()
    unsafe controls.deallocate()
    unsafe groups.deallocate()
    unsafe freePlaces.deallocate()
  }

  /// The amount of a generator, with modulators and offset.
  @_noAllocation @_noLocks
  func amount(_ place: Int, _ generator: Int) -> Double {
    // Through the pointer only, because a value of this size would be copied.
    let nominal =
      unsafe generator == Generator.pitch
      ? voices[place].keyPitch : Double(voices[place].values[generator])
    return unsafe nominal + voices[place].sums[generator]
      + Double(voices[place].offsets[generator])
  }

  /// The lowest free slot; below 0 if all are in use.
  @_noAllocation @_noLocks
  func freePlace() -> Int {
    guard count < capacity else { return -1 }
    for word in fullWordCount..<(capacity &+ 63) / 64 {
      let bits = unsafe freePlaces[word]
      if bits != 0 { return word &* 64 &+ bits.trailingZeroBitCount }
    }
    return -1
  }

  /// Reserves a free slot, and assigns a lane to its voice.
  @_noAllocation @_noLocks
  mutating func take(_ place: Int, start: Int32) {
    unsafe freePlaces[place >> 6] &= ~(1 << UInt64(place & 63))
    let wordCount = (capacity &+ 63) / 64
    while fullWordCount < wordCount, unsafe freePlaces[fullWordCount] == 0 { fullWordCount &+= 1 }
    count &+= 1
    bound = max(bound, place &+ 1)
    gather()
    var group = min(fullGroupCount, groupCount)
    while group < groupCount, unsafe groups[group].taken == 0xFF { group &+= 1 }
    if group == groupCount { groupCount &+= 1 }
    fullGroupCount = group
    let lane = unsafe (~groups[group].taken).trailingZeroBitCount
    unsafe voices[place].group = Int32(truncatingIfNeeded: group)
    unsafe voices[place].lane = Int32(truncatingIfNeeded: lane)
    unsafe cvoices_seat(
      groups + group, Int32(truncatingIfNeeded: lane), Int32(truncatingIfNeeded: place), start)
  }

  /// Frees a slot and its lane.
  @_noAllocation @_noLocks
  mutating func free(_ place: Int) {
    let group = unsafe Int(voices[place].group)
    unsafe cvoices_unseat(groups + group, voices[place].lane)
    unsafe freePlaces[place >> 6] |= 1 << UInt64(place & 63)
    fullWordCount = min(fullWordCount, place >> 6)
    fullGroupCount = min(fullGroupCount, group)
    unsafe marks[place].channel = VoiceMark.nowhere
    count &-= 1
    while bound > 0, unsafe marks[bound &- 1].isFree { bound &-= 1 }
    while groupCount > 0, unsafe groups[groupCount &- 1].taken == 0 { groupCount &-= 1 }
  }

  /// Frees the slots whose voices have ended.
  @_noAllocation @_noLocks
  mutating func collect() {
    var group = 0
    while group < groupCount {
      var ended = unsafe groups[group].ended
      while ended != 0 {
        let lane = ended.trailingZeroBitCount
        ended &= ended &- 1
        unsafe free(Int(cvoices_place(groups + group, Int32(truncatingIfNeeded: lane))))
      }
      group &+= 1
    }
  }

  /// Moves the voices of the last groups to free lanes of earlier groups, if two groups' worth of
  /// lanes are free.
  @_noAllocation @_noLocks
  private mutating func gather() {
    var target = min(fullGroupCount, groupCount)
    while groupCount &* 8 &- count >= 16, groupCount > 1 {
      let last = groupCount &- 1
      while target < last, unsafe groups[target].taken == 0xFF { target &+= 1 }
      guard target < last else { return }
      let lane = unsafe groups[last].taken.trailingZeroBitCount
      let open = unsafe (~groups[target].taken).trailingZeroBitCount
      let place = unsafe Int(cvoices_place(groups + last, Int32(truncatingIfNeeded: lane)))
      unsafe cvoices_move_lane(
        groups + last, Int32(truncatingIfNeeded: lane), groups + target,
        Int32(truncatingIfNeeded: open))
      unsafe voices[place].group = Int32(truncatingIfNeeded: target)
      unsafe voices[place].lane = Int32(truncatingIfNeeded: open)
      while groupCount > 0, unsafe groups[groupCount &- 1].taken == 0 { groupCount &-= 1 }
    }
  }

  /// Adds whole quanta of all voices to buffers, and frees the slots of voices that have ended.
  @_noAllocation @_noLocks
  mutating func process(
    quantumCount: Int, samples: UnsafePointer<Int16>, lowBytes: UnsafePointer<UInt8>?,
    tables: UnsafePointer<CVoiceTables>, kernels: UnsafePointer<CVoiceKernels>?,
    dry: UnsafeMutablePointer<UnsafeMutablePointer<Float>?>, reverb: UnsafeMutablePointer<Float>?,
    chorus: UnsafeMutablePointer<Float>?
  ) {
    for group in 0..<groupCount {
      unsafe cvoices_render(
        groups + group, controls, samples, lowBytes, tables, kernels, quantumCount,
        UnsafePointer(dry), reverb, chorus)
    }
    collect()
  }
}
