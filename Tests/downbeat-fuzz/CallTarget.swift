// SPDX-License-Identifier: Apache-2.0
import AVFoundation
import TestSupport

/// The functions of MusicPlayer.h, called in any order with any handles: fresh, stale, nil and
/// foreign ones.
@safe struct CallTarget: FuzzTarget {
  private let scene: FuzzScene
  private var sequences: [MusicSequence?] = unsafe [nil]
  private var tracks: [MusicTrack?] = unsafe [nil]
  private var iterators: [MusicEventIterator?] = unsafe [nil]
  private var players: [MusicPlayer?] = unsafe [nil]
  private var (done, refused) = (0, 0)

  private static let times: [Double] = [
    0, 0.25, 1, 1.5, 2, 3, 4, 7.99, 100, 1e5, 1e13, -1, -0.0, .nan, .infinity,
    .greatestFiniteMagnitude, .leastNonzeroMagnitude,
  ]

  init(_ scene: FuzzScene) {
    self.scene = scene
  }

  var tally: String { "\(done) done, \(refused) refused" }

  mutating func attack(_ random: inout SplitMix) throws {
    for _ in 0..<8 {
      let status = call(&random)
      if status == noErr { done += 1 } else { refused += 1 }
      try FuzzFault.unless(Self.codes.contains(status), "status \(status)")
    }
    if Int.random(in: 0..<16, using: &random) == 0 { try check(&random) }
    forget(&random)
  }

  private static let codes: Set<OSStatus> = [
    0, -4, -43, -50, -54, -108, -10846, -10853, -10854, -10855, -10856, -10857, -10858, -10860,
    -10863, -10852, -66720,
  ]

  private func time(_ random: inout SplitMix) -> Double {
    Int.random(in: 0..<4, using: &random) > 0
      ? Double(Int.random(in: 0..<64, using: &random)) / 4
      : Self.times.randomElement(using: &random) ?? 0
  }

  private func any(_ handles: [OpaquePointer?], _ random: inout SplitMix) -> OpaquePointer? {
    switch Int.random(in: 0..<40, using: &random) {
    case 0: return unsafe OpaquePointer(bitPattern: UInt(truncatingIfNeeded: random.next()))
    case 1:
      return unsafe (sequences + tracks + iterators + players).randomElement(using: &random) ?? nil
    case 2..<12: return unsafe handles.randomElement(using: &random) ?? nil
    // Mostly what is young, and there.
    default: return unsafe handles.suffix(5).randomElement(using: &random) ?? nil
    }
  }

  private mutating func call(_ random: inout SplitMix) -> OSStatus {
    switch Int.random(in: 0..<100, using: &random) {
    case 0..<8: return make(&random)
    case 8..<34: return add(&random)
    case 34..<62: return step(&random)
    case 62..<74: return edit(&random)
    case 74..<86: return property(&random)
    case 86..<96: return ask(&random)
    case 96..<98: return file(&random)
    default: return dispose(&random)
    }
  }

  private mutating func make(_ random: inout SplitMix) -> OSStatus {
    var handle: OpaquePointer?
    let status: OSStatus
    switch Int.random(in: 0..<8, using: &random) {
    case 0:
      status = unsafe NewMusicSequence(&handle)
      if status == noErr { unsafe sequences.append(handle) }
    case 1...3:
      status = unsafe MusicSequenceNewTrack(any(sequences, &random), &handle)
      if status == noErr { unsafe tracks.append(handle) }
    case 4:
      status = unsafe MusicSequenceGetTempoTrack(any(sequences, &random), &handle)
      if status == noErr { unsafe tracks.append(handle) }
    case 5:
      status = unsafe NewMusicPlayer(&handle)
      if status == noErr { unsafe players.append(handle) }
    default:
      status = unsafe NewMusicEventIterator(any(tracks, &random), &handle)
      if status == noErr { unsafe iterators.append(handle) }
    }
    return status
  }

  private func add(_ random: inout SplitMix) -> OSStatus {
    let track = unsafe any(tracks, &random)
    let time = time(&random)
    func byte() -> UInt8 { UInt8.random(in: 0...129, using: &random) }
    switch Int.random(in: 0..<8, using: &random) {
    case 0...2:
      var note = MIDINoteMessage(
        channel: byte() & 0x0F, note: byte(), velocity: byte(), releaseVelocity: byte(),
        duration: Float(self.time(&random)))
      return unsafe MusicTrackNewMIDINoteEvent(track, time, &note)
    case 3:
      var message = MIDIChannelMessage(
        status: UInt8.random(in: 0x70...0xFF, using: &random), data1: byte(), data2: byte(),
        reserved: 0)
      return unsafe MusicTrackNewMIDIChannelEvent(track, time, &message)
    case 4:
      return unsafe MusicTrackNewExtendedTempoEvent(track, time, self.time(&random) * 60)
    case 5:
      var change = ParameterEvent(
        parameterID: 1, scope: 0, element: 0, value: Float(self.time(&random)))
      return unsafe MusicTrackNewParameterEvent(track, time, &change)
    default:
      return unsafe addBytes(to: track, at: time, &random)
    }
  }

  /// A struct that is followed by as many bytes as it says.
  private func addBytes(
    to track: MusicTrack?, at time: Double, _ random: inout SplitMix
  ) -> OSStatus {
    let words = unsafe [UInt32](unsafeUninitializedCapacity: 16) { buffer, count in
      for index in 0..<16 { unsafe buffer[index] = UInt32(truncatingIfNeeded: random.next()) }
      count = 16
    }
    var memory = words
    switch Int.random(in: 0..<4, using: &random) {
    case 0:
      memory[0] = memory[0] % 60
      return unsafe memory.withUnsafeBytes {
        unsafe MusicTrackNewMIDIRawDataEvent(
          track, time, $0.baseAddress?.assumingMemoryBound(to: MIDIRawData.self))
      }
    case 1:
      memory[0] = memory[0] % 60
      return unsafe memory.withUnsafeBytes {
        unsafe MusicTrackNewUserEvent(
          track, time, $0.baseAddress?.assumingMemoryBound(to: MusicEventUserData.self))
      }
    case 2:
      memory[3] = memory[3] % 5
      return unsafe memory.withUnsafeBytes {
        unsafe MusicTrackNewExtendedNoteEvent(
          track, time, $0.baseAddress?.assumingMemoryBound(to: ExtendedNoteOnEvent.self))
      }
    default:
      memory[0] = [0x51, 0x58, 3, 0x2F, 0x90].randomElement(using: &random) ?? 3
      memory[1] = [0, 3, 4, 40].randomElement(using: &random) ?? 0
      return unsafe memory.withUnsafeBytes {
        unsafe MusicTrackNewMetaEvent(
          track, time, $0.baseAddress?.assumingMemoryBound(to: MIDIMetaEvent.self))
      }
    }
  }

  private func step(_ random: inout SplitMix) -> OSStatus {
    let iterator = unsafe any(iterators, &random)
    var flag: DarwinBoolean = false
    switch Int.random(in: 0..<12, using: &random) {
    case 0...2: return unsafe MusicEventIteratorNextEvent(iterator)
    case 3: return unsafe MusicEventIteratorPreviousEvent(iterator)
    case 4: return unsafe MusicEventIteratorSeek(iterator, time(&random))
    case 5: return unsafe MusicEventIteratorDeleteEvent(iterator)
    case 6: return unsafe MusicEventIteratorSetEventTime(iterator, time(&random))
    case 7:
      var tempo = time(&random)
      return unsafe MusicEventIteratorSetEventInfo(
        iterator, [3, 6, 7, 0, 77].randomElement(using: &random) ?? 3, &tempo)
    case 8: return unsafe MusicEventIteratorHasNextEvent(iterator, &flag)
    case 9: return unsafe MusicEventIteratorHasPreviousEvent(iterator, &flag)
    case 10: return unsafe MusicEventIteratorHasCurrentEvent(iterator, &flag)
    default:
      var data: UnsafeRawPointer?
      var (when, type, size) = (0.0, MusicEventType(0), UInt32(0))
      let status = unsafe MusicEventIteratorGetEventInfo(iterator, &when, &type, &data, &size)
      // All of it may be read.
      let bytes = unsafe UnsafeRawBufferPointer(start: data, count: data == nil ? 0 : Int(size))
      return unsafe bytes.reduce(0) { $0 &+ Int($1) } == .min ? -1 : status
    }
  }

  private func edit(_ random: inout SplitMix) -> OSStatus {
    let (one, other) = unsafe (any(tracks, &random), any(tracks, &random))
    let (start, end, at) = (time(&random), time(&random), time(&random))
    // What is copied into itself again and again would grow without end.
    if unsafe isLong(one) { return unsafe MusicTrackClear(one, 0, kMusicTimeStamp_EndOfTrack) }
    switch Int.random(in: 0..<6, using: &random) {
    case 0: return unsafe MusicTrackClear(one, start, end)
    case 1: return unsafe MusicTrackCut(one, start, end)
    case 2: return unsafe MusicTrackMoveEvents(one, start, end, at)
    case 3: return unsafe MusicTrackCopyInsert(one, start, min(end, start + 4), other, at)
    case 4: return unsafe MusicTrackMerge(one, start, min(end, start + 4), other, at)
    default: return unsafe MusicSequenceReverse(any(sequences, &random))
    }
  }

  private func isLong(_ track: MusicTrack?) -> Bool {
    var iterator: MusicEventIterator?
    unsafe NewMusicEventIterator(track, &iterator)
    defer { unsafe DisposeMusicEventIterator(iterator) }
    for _ in 0..<1200 where unsafe MusicEventIteratorNextEvent(iterator) != noErr { return false }
    return true
  }

  private func property(_ random: inout SplitMix) -> OSStatus {
    let track = unsafe any(tracks, &random)
    let number = UInt32.random(in: 0...7, using: &random)
    var values = (time(&random), time(&random))
    var size: UInt32 = 0
    switch Int.random(in: 0..<8, using: &random) {
    case 0...2: return unsafe MusicTrackSetProperty(track, number, &values, 0)
    case 3...5: return unsafe MusicTrackGetProperty(track, number, &values, &size)
    case 6: return unsafe MusicTrackSetDestMIDIEndpoint(track, number)
    default:
      var node = AUNode(0)
      return unsafe MusicTrackGetDestNode(track, &node)
    }
  }

  private func ask(_ random: inout SplitMix) -> OSStatus {
    let sequence = unsafe any(sequences, &random)
    let player = unsafe any(players, &random)
    var (value, time) = (0.0, UInt64(0))
    var label = CABarBeatTime(
      bar: Int32.random(in: -2...3, using: &random), beat: 1, subbeat: 0, subbeatDivisor: 480,
      reserved: 0)
    switch Int.random(in: 0..<100, using: &random) {
    case 0..<12: return unsafe MusicSequenceGetSecondsForBeats(sequence, self.time(&random), &value)
    case 12..<24:
      return unsafe MusicSequenceGetBeatsForSeconds(sequence, self.time(&random), &value)
    case 24..<34:
      return unsafe MusicSequenceBeatsToBarBeatTime(sequence, self.time(&random), 480, &label)
    case 34..<44: return unsafe MusicSequenceBarBeatTimeToBeats(sequence, &label, &value)
    case 44..<54: return unsafe MusicPlayerSetSequence(player, sequence)
    case 54..<64: return unsafe MusicPlayerSetTime(player, self.time(&random))
    case 64..<72: return unsafe MusicPlayerGetTime(player, &value)
    case 72..<80: return unsafe MusicPlayerGetHostTimeForBeats(player, self.time(&random), &time)
    case 80..<88: return unsafe MusicPlayerSetPlayRateScalar(player, self.time(&random))
    case 88..<92:
      return unsafe MusicSequenceSetSequenceType(
        sequence, [.beats, .seconds, .samples].randomElement(using: &random) ?? .beats)
    case 92..<99: return unsafe MusicPlayerStop(player)
    // A start takes threads.
    default:
      return Int.random(in: 0..<8, using: &random) == 0
        ? unsafe MusicPlayerStart(player) : MusicPlayerPreroll(nil)
    }
  }

  private func file(_ random: inout SplitMix) -> OSStatus {
    var data: Unmanaged<CFData>?
    let resolution = Int16(truncatingIfNeeded: random.next())
    let sequence = unsafe any(sequences, &random)
    // What is loaded into what it was saved from doubles.
    var count: UInt32 = 0
    unsafe MusicSequenceGetTrackCount(sequence, &count)
    if count > 20 {
      var track: MusicTrack?
      unsafe MusicSequenceGetIndTrack(sequence, 0, &track)
      return unsafe MusicSequenceDisposeTrack(sequence, track)
    }
    let status = unsafe MusicSequenceFileCreateData(
      sequence, .midiType, [],
      Bool.random(using: &random) ? 480 : resolution, &data)
    guard let bytes = unsafe data?.takeRetainedValue() else { return status }
    let flags: MusicSequenceLoadFlags = Bool.random(using: &random) ? [] : .smf_ChannelsToTracks
    return unsafe MusicSequenceFileLoadData(any(sequences, &random), bytes, .anyType, flags)
  }

  private mutating func dispose(_ random: inout SplitMix) -> OSStatus {
    switch Int.random(in: 0..<4, using: &random) {
    case 0: unsafe DisposeMusicSequence(any(sequences, &random))
    case 1: unsafe DisposeMusicEventIterator(any(iterators, &random))
    case 2: unsafe DisposeMusicPlayer(any(players, &random))
    default: unsafe MusicSequenceDisposeTrack(any(sequences, &random), any(tracks, &random))
    }
  }

  /// The events of a track are in order, and iterating ends.
  private func check(_ random: inout SplitMix) throws {
    var iterator: MusicEventIterator?
    guard
      unsafe NewMusicEventIterator(tracks.randomElement(using: &random) ?? nil, &iterator) == noErr
    else { return }
    var (last, time) = (0.0, 0.0)
    while unsafe MusicEventIteratorGetEventInfo(iterator, &time, nil, nil, nil) == noErr {
      try FuzzFault.unless(time >= last, "event at \(time) after \(last)")
      last = time
      unsafe MusicEventIteratorNextEvent(iterator)
    }
    unsafe DisposeMusicEventIterator(iterator)
  }

  /// Few handles are kept, so that calls meet; what is forgotten is freed first.
  private mutating func forget(_ random: inout SplitMix) {
    if unsafe iterators.count > 40 {
      unsafe DisposeMusicEventIterator(iterators.remove(at: 1))
    }
    if unsafe players.count > 6 { unsafe DisposeMusicPlayer(players.remove(at: 1)) }
    if unsafe tracks.count > 40 { unsafe tracks.remove(at: 1) }
    if unsafe sequences.count > 8 {
      let sequence = unsafe sequences.remove(at: 1)
      if unsafe DisposeMusicSequence(sequence) == -10863 { unsafe sequences.append(sequence) }
    }
  }
}
