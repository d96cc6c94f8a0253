// SPDX-License-Identifier: Apache-2.0
internal import CLilv
internal import MIDIMessages

/// An atom sequence that an event port reads or writes.
///
/// The kernel owns the memory.
@safe
struct SequenceKernel: BitwiseCopyable {
  /// Size of a sequence with its header, in bytes.
  static var capacity: Int {
    @_noAllocation @_noLocks
    get { 8192 }
  }

  /// The numbers of the URIs in use.
  struct Types: BitwiseCopyable {
    let sequence = LV2Names.number(LV2Names.atom + "Sequence")
    let object = LV2Names.number(LV2Names.atom + "Object")
    let int = LV2Names.number(LV2Names.atom + "Int")
    let long = LV2Names.number(LV2Names.atom + "Long")
    let float = LV2Names.number(LV2Names.atom + "Float")
    let midi = LV2Names.number(LV2Names.midiEvent)
    let position = LV2Names.number(LV2Names.time + "Position")
    let frame = LV2Names.number(LV2Names.time + "frame")
    let speed = LV2Names.number(LV2Names.time + "speed")
    let bar = LV2Names.number(LV2Names.time + "bar")
    let barBeat = LV2Names.number(LV2Names.time + "barBeat")
    let beatUnit = LV2Names.number(LV2Names.time + "beatUnit")
    let beatsPerBar = LV2Names.number(LV2Names.time + "beatsPerBar")
    let beatsPerMinute = LV2Names.number(LV2Names.time + "beatsPerMinute")
  }

  /// The sequence's memory, aligned to eight bytes.
  let words: UnsafeMutablePointer<UInt32>
  private let types: Types
  /// Index of the word after the last event.
  private var end = 4

  init(_ types: Types) {
    self.types = types
    let memory = UnsafeMutableRawPointer.allocate(byteCount: Self.capacity, alignment: 8)
    unsafe words = memory.initializeMemory(
      as: UInt32.self, repeating: 0, count: Self.capacity / 4)
    begin()
  }

  func deallocate() {
    unsafe words.deallocate()
  }

  /// Makes the sequence empty, for input to the plug-in.
  @_noAllocation @_noLocks
  mutating func begin() {
    end = 4
    unsafe words[1] = types.sequence
    unsafe words[2] = 0
    unsafe words[3] = 0
    close()
  }

  /// Writes the capacity into the header, for output by the plug-in.
  @_noAllocation @_noLocks
  func offer() {
    unsafe words[0] = UInt32(truncatingIfNeeded: Self.capacity &- 8)
    unsafe words[1] = 0
  }

  /// True if a message of that many bytes fits.
  @_noAllocation @_noLocks
  func hasRoom(for count: Int) -> Bool { 4 &* end &+ 16 &+ (count &+ 7) / 8 &* 8 <= Self.capacity }

  /// Appends a message at a frame of the run; check `hasRoom(for:)` first.
  @_noAllocation @_noLocks
  mutating func append(_ message: Message, at frame: Int64) {
    open(frame, size: message.length, type: types.midi)
    add(UInt64(message.status) | UInt64(message.data1) << 8 | UInt64(message.data2) << 16)
    close()
  }

  /// Appends the bytes of a message at a frame of the run; check `hasRoom(for:)` first.
  @_noAllocation @_noLocks
  mutating func append(_ bytes: UnsafePointer<UInt8>, count: Int, at frame: Int64) {
    open(frame, size: count, type: types.midi)
    for start in stride(from: 0, to: count, by: 8) {
      var word: UInt64 = 0
      for place in start..<min(count, start &+ 8) {
        unsafe word |= UInt64(bytes[place]) << (8 &* UInt64(truncatingIfNeeded: place &- start))
      }
      add(word)
    }
    close()
  }

  /// A message written by the plug-in.
  @safe
  struct Written: BitwiseCopyable {
    let frame: Int64
    let bytes: UnsafePointer<UInt8>
    let count: Int
  }

  /// The place at which `next` starts.
  static var firstPlace: Int {
    @_noAllocation @_noLocks
    get { 4 }
  }

  /// Returns the next message written by the plug-in and moves the place past it; nil after the
  /// last.
  ///
  /// Lengths that exceed the sequence end the search.
  @_noAllocation @_noLocks
  func next(_ place: inout Int) -> Written? {
    guard unsafe words[1] == types.sequence else { return nil }
    let end = unsafe min(Self.capacity, 8 &+ Int(truncatingIfNeeded: words[0])) / 4
    while place &+ 4 <= end {
      let low = unsafe Int64(truncatingIfNeeded: words[place])
      let high = unsafe Int64(truncatingIfNeeded: words[place &+ 1])
      let size = unsafe Int(truncatingIfNeeded: words[place &+ 2])
      let type = unsafe words[place &+ 3]
      let body = place &+ 4
      guard size <= 4 &* (end &- body) else { return nil }
      place = body &+ (size &+ 7) / 8 &* 2
      if type == types.midi, size > 0 {
        let bytes = unsafe UnsafeRawPointer(words + body).assumingMemoryBound(to: UInt8.self)
        return unsafe Written(frame: low | high << 32, bytes: bytes, count: size)
      }
    }
    return nil
  }

  /// Appends a song position if it fits.
  @_noAllocation @_noLocks
  mutating func append(_ position: LV2Position, songFrame: Int64, at frame: Int64) {
    let size: Int = 8 &+ 7 &* 24
    guard 4 &* end &+ 16 &+ size <= Self.capacity else { return }
    open(frame, size: size, type: types.object)
    add(UInt64(types.position) << 32)
    add(types.frame, UInt64(bitPattern: songFrame), 8, types.long)
    add(types.speed, UInt64(position.speed.bitPattern), 4, types.float)
    add(types.bar, UInt64(bitPattern: Int64(position.bar)), 8, types.long)
    add(types.barBeat, UInt64(position.barBeat.bitPattern), 4, types.float)
    add(types.beatUnit, UInt64(UInt32(bitPattern: position.beatUnit)), 4, types.int)
    add(types.beatsPerBar, UInt64(position.beatsPerBar.bitPattern), 4, types.float)
    add(types.beatsPerMinute, UInt64(position.beatsPerMinute.bitPattern), 4, types.float)
    close()
  }

  /// Appends a property.
  @_noAllocation @_noLocks
  private mutating func add(_ key: UInt32, _ value: UInt64, _ size: UInt32, _ type: UInt32) {
    add(UInt64(key))
    add(UInt64(type) << 32 | UInt64(size))
    add(value)
  }

  /// Appends the header of an event.
  @_noAllocation @_noLocks
  private mutating func open(_ frame: Int64, size: Int, type: UInt32) {
    add(UInt64(bitPattern: frame))
    add(UInt64(type) << 32 | UInt64(truncatingIfNeeded: size))
  }

  /// Appends two words, the lower first.
  @_noAllocation @_noLocks
  private mutating func add(_ words: UInt64) {
    unsafe self.words[end] = UInt32(truncatingIfNeeded: words)
    unsafe self.words[end &+ 1] = UInt32(truncatingIfNeeded: words >> 32)
    end &+= 2
  }

  /// Writes the length of the sequence into its header.
  @_noAllocation @_noLocks
  private func close() {
    unsafe words[0] = UInt32(truncatingIfNeeded: 4 &* end &- 8)
  }
}
