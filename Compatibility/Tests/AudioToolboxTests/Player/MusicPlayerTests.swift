// SPDX-License-Identifier: Apache-2.0
import AVFoundation
import TestSupport
import Testing

/// Players on a machine without a device, which run by host time.
@Suite struct MusicPlayerTests {
  private final class TestPlayer {
    let handle: MusicPlayer?

    init(_ sequence: TestSequence? = nil) {
      var player: MusicPlayer?
      NewMusicPlayer(&player)
      handle = player
      if let sequence { MusicPlayerSetSequence(handle, sequence.handle) }
    }

    deinit { DisposeMusicPlayer(handle) }

    var time: MusicTimeStamp {
      var time = Double.nan
      MusicPlayerGetTime(handle, &time)
      return time
    }

    var isPlaying: Bool {
      var playing: DarwinBoolean = false
      MusicPlayerIsPlaying(handle, &playing)
      return playing.boolValue
    }

    func hostTime(_ beats: MusicTimeStamp) -> UInt64? {
      var time: UInt64 = 1
      return MusicPlayerGetHostTimeForBeats(handle, beats, &time) == noErr ? time : nil
    }

    func beats(_ hostTime: UInt64) -> MusicTimeStamp? {
      var beats = 1.0
      return MusicPlayerGetBeatsForHostTime(handle, hostTime, &beats) == noErr ? beats : nil
    }
  }

  @Test func `a new player is stopped at 0, with a rate of 1 and without a sequence`() {
    let player = TestPlayer()
    #expect(!player.isPlaying && player.time == 0)
    var rate = 0.0
    #expect(MusicPlayerGetPlayRateScalar(player.handle, &rate) == noErr)
    #expect(rate == 1)
    var sequence: MusicSequence?
    #expect(MusicPlayerGetSequence(player.handle, &sequence) == -10854)
    for call in [MusicPlayerPreroll, MusicPlayerStart, MusicPlayerStop] {
      #expect(call(player.handle) == -10854)
    }
    var (time, beats) = (UInt64(7), 7.0)
    #expect(MusicPlayerGetHostTimeForBeats(player.handle, 0, &time) == -10852)
    #expect(MusicPlayerGetBeatsForHostTime(player.handle, 0, &beats) == -10852)
    #expect(time == 0 && beats == 0)
    #expect(MusicPlayerSetTime(player.handle, 4) == noErr)
    #expect(player.time == 0)
    #expect(MusicPlayerSetSequence(player.handle, nil) == noErr)
  }

  @Test func `rates must be above 0 and at most 32`() {
    let player = TestPlayer()
    for rate in [0, -1, Double.nan, .infinity, 33] {
      #expect(MusicPlayerSetPlayRateScalar(player.handle, rate) == -50)
    }
    #expect(MusicPlayerSetPlayRateScalar(player.handle, 2.5) == noErr)
    var rate = 0.0
    #expect(MusicPlayerGetPlayRateScalar(player.handle, &rate) == noErr)
    #expect(rate == 2.5)
  }

  @Test func `a player plays from start to stop, and keeps the position of the stop`() async {
    let sequence = TestSequence(tracks: 1)
    addNote(sequence.tracks[0], 60, at: 0, duration: 0.01)
    let player = TestPlayer(sequence)
    #expect(MusicPlayerPreroll(player.handle) == noErr)
    #expect(MusicPlayerStop(player.handle) == noErr)
    #expect(MusicPlayerSetTime(player.handle, 100) == noErr)
    #expect(player.time == 100)
    #expect(MusicPlayerStart(player.handle) == noErr)
    #expect(MusicPlayerStart(player.handle) == noErr)
    #expect(player.isPlaying && player.time >= 100)
    await wait { player.time > 100.05 }
    let reached = player.time
    // After the last event it plays on until it is stopped.
    #expect(reached > 100.05 && player.isPlaying)
    #expect(MusicPlayerStop(player.handle) == noErr)
    let stopped = player.time
    #expect(!player.isPlaying && stopped >= reached)
    usleep(20_000)
    #expect(player.time == stopped)
  }

  @Test func `the sequence and the destinations cannot change during playback`() {
    let sequence = TestSequence(tracks: 1)
    let player = TestPlayer(sequence)
    MusicTrackSetDestMIDIEndpoint(sequence.tracks[0], 5)
    MusicPlayerStart(player.handle)
    #expect(MusicPlayerSetSequence(player.handle, nil) == -10852)
    #expect(MusicTrackSetDestMIDIEndpoint(sequence.tracks[0], 6) == -10852)
    #expect(MusicTrackSetDestNode(sequence.tracks[0], 6) == -10852)
    #expect(MusicSequenceReverse(sequence.handle) == -10852)
    #expect(DisposeMusicSequence(sequence.handle) == -10863)
    var endpoint: MIDIEndpointRef = 0
    MusicTrackGetDestMIDIEndpoint(sequence.tracks[0], &endpoint)
    #expect(endpoint == 5)
    MusicPlayerStop(player.handle)
    #expect(MusicTrackSetDestMIDIEndpoint(sequence.tracks[0], 6) == noErr)
  }

  @Test func `a sequence can have one player only`() {
    let sequence = TestSequence()
    let first = TestPlayer(sequence)
    let second = TestPlayer()
    #expect(MusicPlayerSetSequence(second.handle, sequence.handle) == -10863)
    MusicPlayerSetSequence(first.handle, nil)
    #expect(MusicPlayerSetSequence(second.handle, sequence.handle) == noErr)
    var found: MusicSequence?
    #expect(MusicPlayerGetSequence(second.handle, &found) == noErr)
    #expect(found == sequence.handle)
    // Setting another sequence releases the first.
    let other = TestSequence()
    #expect(MusicPlayerSetSequence(second.handle, other.handle) == noErr)
    #expect(MusicPlayerSetSequence(first.handle, sequence.handle) == noErr)
  }

  /// Measured on Apple's systems: the tempos at beats 0 and 2, and the time of beat 4.
  static let measured: [(tempi: [Double], nanoseconds: Int64)] = [
    ([90], 2_666_666_667), ([90, 60], 3_333_333_333),
  ]

  @Test(arguments: measured)
  func `beat 4 is played after the time that the tempos determine`(
    measured: (tempi: [Double], nanoseconds: Int64)
  ) throws {
    let sequence = TestSequence(tracks: 1)
    for (index, tempo) in measured.tempi.enumerated() {
      MusicTrackNewExtendedTempoEvent(sequence.tempoTrack, 2 * Double(index), tempo)
    }
    let player = TestPlayer(sequence)
    #expect(MusicPlayerStart(player.handle) == noErr)
    let (start, beat) = (try #require(player.hostTime(0)), try #require(player.hostTime(4)))
    #expect(abs(Int64(beat) - Int64(start) - measured.nanoseconds) <= 1000)
    #expect(MusicPlayerStop(player.handle) == noErr)
  }

  @Test func `beats and host times are converted both ways along ten thousand tempos`() throws {
    let sequence = TestSequence(tracks: 1)
    var seconds: [Double] = [0]
    for beat in 0..<10_000 {
      let bpm = 60 + Double(beat * 7919 % 12_000) / 100
      MusicTrackNewExtendedTempoEvent(sequence.tempoTrack, Double(beat), bpm)
      seconds.append(seconds[beat] + 60 / bpm)
    }
    let player = TestPlayer(sequence)
    MusicPlayerSetTime(player.handle, 10)
    MusicPlayerStart(player.handle)
    let start = try #require(player.hostTime(10))
    for beat in stride(from: 10, through: 10_000, by: 111) {
      let time = try #require(player.hostTime(Double(beat)))
      #expect(abs(Double(time - start) - (seconds[beat] - seconds[10]) * 1e9) < 1000)
      #expect(abs(try #require(player.beats(time)) - Double(beat)) < 1e-6)
    }
    #expect(player.hostTime(9.99) == nil)
    #expect(player.beats(start - 1) == nil)
    MusicPlayerStop(player.handle)
  }

  @Test func `a rate and a tempo set during playback apply from that position on`() async throws {
    let sequence = TestSequence(tracks: 1)
    let player = TestPlayer(sequence)
    MusicPlayerStart(player.handle)
    MusicPlayerSetPlayRateScalar(player.handle, 4)
    let first = try #require(player.hostTime(1000))
    let second = try #require(player.hostTime(1008))
    #expect(second - first == 1_000_000_000)
    MusicTrackNewExtendedTempoEvent(sequence.tempoTrack, 0, 240)
    #expect(
      await wait {
        // The tempo may change between the two calls.
        let (first, second) = (player.hostTime(1000) ?? 0, player.hostTime(1008) ?? 0)
        return second > first && second - first == 500_000_000
      })
    MusicPlayerSetTime(player.handle, 500)
    #expect(player.time >= 500)
    #expect(player.hostTime(499) == nil && player.hostTime(500) != nil)
  }

  @Test
  func `the user callback is called for events, for each pass of a loop, and for skipped events`()
    async
  {
    let sequence = TestSequence(tracks: 1)
    let track = sequence.tracks[0]
    addBytes(track, [7], at: 0.1, user: true)
    addBytes(track, [8, 9], at: 1 / 7, user: true)
    setLength(track, 0.2)
    var loop = MusicTrackLoopInfo(loopDuration: 0.2, numberOfLoops: 3)
    MusicTrackSetProperty(track, kSequenceTrackProperty_LoopInfo, &loop, 16)
    let log = CallLog()
    let data = Unmanaged.passUnretained(log).toOpaque()
    #expect(MusicSequenceSetUserCallback(sequence.handle, CallLog.take, data) == noErr)
    let player = TestPlayer(sequence)
    // The events are sent in advance, so that none is left out on a busy machine.
    MusicPlayerSetPlayRateScalar(player.handle, 8)
    MusicPlayerStart(player.handle)
    await wait { log.count >= 6 }
    MusicPlayerStop(player.handle)
    let calls = log.calls
    let seventh: MusicTimeStamp = 1 / 7
    let times: [MusicTimeStamp] = [0.1, seventh, 0.1, seventh, 0.1, seventh]
    #expect(calls.map(\.time) == times)
    #expect(calls.map(\.bytes.count) == [1, 2, 1, 2, 1, 2])
    #expect(calls.allSatisfy { $0.track == track && $0.sequence == sequence.handle })
    #expect(calls[0].start <= 0.1 && calls[0].end > 0.1)
    #expect(calls[2].start > 0.2 && calls[2].end > calls[2].start)
    log.clear()
    MusicPlayerSetTime(player.handle, 0.12)
    #expect(log.calls.map { [$0.time, $0.start, $0.end] } == [[0.1, 0.12, 0.12]])
  }
}

/// The calls of a user callback.
private final class CallLog: @unchecked Sendable {
  struct Call {
    let (sequence, track): (MusicSequence, MusicTrack)
    let time: MusicTimeStamp
    let bytes: [UInt8]
    let (start, end): (MusicTimeStamp, MusicTimeStamp)
  }

  private let lock = NSLock()
  private var found: [Call] = []

  var calls: [Call] { lock.withLock { found } }
  // Counted under the lock: the thread sanitizer takes a reader of a copy for a reader of the
  // array.
  var count: Int { lock.withLock { found.count } }

  func clear() { lock.withLock { found = [] } }

  static let take: MusicSequenceUserCallback = { data, sequence, track, time, event, start, end in
    guard let data else { return }
    let log = Unmanaged<CallLog>.fromOpaque(data).takeUnretainedValue()
    let bytes = UnsafeRawPointer(event).advanced(by: 4).assumingMemoryBound(to: UInt8.self)
    let copy = Array(UnsafeBufferPointer(start: bytes, count: Int(event.pointee.length)))
    log.lock.withLock {
      log.found.append(
        Call(sequence: sequence, track: track, time: time, bytes: copy, start: start, end: end))
    }
  }
}
