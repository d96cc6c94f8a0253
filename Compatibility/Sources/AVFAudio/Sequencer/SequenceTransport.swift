// SPDX-License-Identifier: Apache-2.0
internal import AudioToolbox
internal import Foundation

/// A sequence of MusicPlayer.h with its player.
///
/// - Note: Any thread.
@safe
final class SequenceTransport: @unchecked Sendable {
  // Unchecked: handles are numbers, which the functions of MusicPlayer.h accept on any thread.

  let sequence: MusicSequence
  private let player: MusicPlayer
  /// The data of user callbacks, which a player's thread may use until the player is disposed of.
  private let kept = NSMutableArray()
  private let lock = NSLock()

  /// Creates an empty sequence.
  ///
  /// - Throws: An `NSError` if there are too many objects.
  init() throws {
    var sequence: MusicSequence?
    var player: MusicPlayer?
    try Self.check(unsafe NewMusicSequence(&sequence), "NewMusicSequence")
    guard let sequence = unsafe sequence else { throw Self.error(-50, "NewMusicSequence") }
    let status = unsafe NewMusicPlayer(&player)
    guard status == 0, let player = unsafe player else {
      unsafe DisposeMusicSequence(sequence)
      throw Self.error(status, "NewMusicPlayer")
    }
    unsafe self.sequence = sequence
    unsafe self.player = player
    unsafe MusicPlayerSetSequence(player, sequence)
  }

  deinit {
    unsafe DisposeMusicPlayer(player)
    unsafe DisposeMusicSequence(sequence)
  }

  /// Keeps an object until the player is disposed of.
  func keep(_ object: AnyObject) { lock.withLock { kept.add(object) } }

  /// Throws an `NSError` for a status other than 0.
  static func check(_ status: OSStatus, _ call: String) throws {
    if status != 0 { throw error(status, call) }
  }

  /// The error of a status.
  static func error(_ status: OSStatus, _ call: String) -> NSError {
    AVFAudioError.error(status, call: call)
  }

  // MARK: Contents

  /// Adds the tracks of a file.
  func load(_ url: URL, channelsToTracks: Bool = false) throws {
    let flags: MusicSequenceLoadFlags = channelsToTracks ? .smf_ChannelsToTracks : []
    try Self.check(
      unsafe MusicSequenceFileLoad(sequence, url as NSURL, .midiType, flags),
      "MusicSequenceFileLoad")
  }

  /// Adds the tracks of a file in memory.
  func load(_ data: Data, channelsToTracks: Bool = false) throws {
    let flags: MusicSequenceLoadFlags = channelsToTracks ? .smf_ChannelsToTracks : []
    try Self.check(
      unsafe MusicSequenceFileLoadData(sequence, NSData(data: data), .midiType, flags),
      "MusicSequenceFileLoadData")
  }

  /// Selects the soundfont or DLS file of the sequence's synthesiser.
  func setSoundBank(_ url: URL) throws {
    guard FileManager.default.isReadableFile(atPath: url.path) else {
      throw Self.error(kAudio_FileNotFoundError, "kMusicDeviceProperty_SoundBankURL")
    }
    var graph: AUGraph?
    try Self.check(unsafe MusicSequenceGetAUGraph(sequence, &graph), "MusicSequenceGetAUGraph")
    try Self.check(unsafe AUGraphOpen(graph), "AUGraphOpen")
    guard let unit = unsafe Self.synthesizer(of: graph) else {
      throw Self.error(kAudioUnitErr_FailedInitialization, "AUGraphNodeInfo")
    }
    let object = NSURL(fileURLWithPath: url.path)
    var reference = unsafe Unmanaged.passUnretained(object)
    let status = withExtendedLifetime(object) {
      unsafe AudioUnitSetProperty(
        unit, kMusicDeviceProperty_SoundBankURL, kAudioUnitScope_Global, 0, &reference,
        UInt32(MemoryLayout<Unmanaged<NSURL>>.size))
    }
    try Self.check(status, "kMusicDeviceProperty_SoundBankURL")
  }

  @unsafe
  private static func synthesizer(of graph: AUGraph?) -> AudioUnit? {
    var count: UInt32 = 0
    unsafe AUGraphGetNodeCount(graph, &count)
    for index in 0..<count {
      var node: AUNode = 0
      var unit: AudioUnit?
      var description = AudioComponentDescription()
      unsafe AUGraphGetIndNode(graph, index, &node)
      unsafe AUGraphNodeInfo(graph, node, &description, &unit)
      if description.componentType == kAudioUnitType_MusicDevice { return unsafe unit }
    }
    return nil
  }

  /// The tracks without the tempo track.
  var tracks: [MusicTrack] {
    var count: UInt32 = 0
    unsafe MusicSequenceGetTrackCount(sequence, &count)
    return unsafe (0..<count).compactMap { index in
      var track: MusicTrack?
      unsafe MusicSequenceGetIndTrack(sequence, index, &track)
      return unsafe track
    }
  }

  /// The length of the longest track in beats.
  var lengthInBeats: Double {
    unsafe tracks.map { unsafe TrackValues.number(kSequenceTrackProperty_TrackLength, of: $0) }
      .max() ?? 0
  }

  // MARK: Times

  func seconds(forBeats beats: Double) -> Double {
    var seconds = 0.0
    unsafe MusicSequenceGetSecondsForBeats(sequence, beats, &seconds)
    return seconds
  }

  func beats(forSeconds seconds: Double) -> Double {
    var beats = 0.0
    unsafe MusicSequenceGetBeatsForSeconds(sequence, seconds, &beats)
    return beats
  }

  func hostTime(forBeats beats: Double) throws -> UInt64 {
    var time: UInt64 = 0
    try Self.check(
      unsafe MusicPlayerGetHostTimeForBeats(player, beats, &time),
      "MusicPlayerGetHostTimeForBeats")
    return time
  }

  func beats(forHostTime time: UInt64) throws -> Double {
    var beats = 0.0
    try Self.check(
      unsafe MusicPlayerGetBeatsForHostTime(player, time, &beats),
      "MusicPlayerGetBeatsForHostTime")
    return beats
  }

  // MARK: Playing

  var position: Double {
    get {
      var beats = 0.0
      unsafe MusicPlayerGetTime(player, &beats)
      return beats
    }
    set { unsafe MusicPlayerSetTime(player, newValue) }
  }

  var isPlaying: Bool {
    var result = DarwinBoolean(false)
    unsafe MusicPlayerIsPlaying(player, &result)
    return result.boolValue
  }

  var rate: Double {
    get {
      var rate = 1.0
      unsafe MusicPlayerGetPlayRateScalar(player, &rate)
      return rate
    }
    set { unsafe MusicPlayerSetPlayRateScalar(player, newValue) }
  }

  func prepare() { unsafe MusicPlayerPreroll(player) }

  func start() throws { try Self.check(unsafe MusicPlayerStart(player), "MusicPlayerStart") }

  func stop() { unsafe MusicPlayerStop(player) }
}
