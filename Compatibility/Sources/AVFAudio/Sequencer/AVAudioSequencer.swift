// SPDX-License-Identifier: Apache-2.0
internal import AudioToolbox
public import Foundation

/// The options for loading a MIDI file.
public struct AVMusicSequenceLoadOptions: OptionSet, Hashable, Sendable {
  /// The option bits.
  public let rawValue: UInt

  /// Creates a set of options from its bits.
  ///
  /// - Parameter rawValue: The option bits.
  public init(rawValue: UInt) {
    self.rawValue = rawValue
  }

  /// Keeps the tracks as they are in the file.
  ///
  /// This is the empty set of options.
  public static let smf_PreserveTracks = AVMusicSequenceLoadOptions([])
  /// Splits a MIDI file of format 0 into one track for each channel.
  public static let smf_ChannelsToTracks = AVMusicSequenceLoadOptions(rawValue: 1)
  /// Splits a MIDI file of format 0 into one track for each channel, like `smf_ChannelsToTracks`.
  public static let smfChannelsToTracks = smf_ChannelsToTracks
}

/// A block that is called for user events.
///
/// The block receives the track, the bytes of the event and its beat.
public typealias AVAudioSequencerUserCallback =
  @Sendable (AVMusicTrack, Data, AVMusicTimeStamp) -> Void

/// A sequencer that plays tracks of MIDI events.
///
/// Tracks without a destination are played by the first instrument of the engine. If the sequencer
/// was created without an engine, they are played by a synthesiser with the soundfont that the
/// `downbeat` command would choose.
///
/// - Note: Any thread.
@safe
open class AVAudioSequencer: NSObject, @unchecked Sendable {
  // Unchecked: variables are used under a lock; the transport is sendable.

  /// A key of the dictionary `userInfo`.
  public struct InfoDictionaryKey: RawRepresentable, Hashable, Sendable {
    /// The string of the key.
    public let rawValue: String

    /// Creates a key from its string.
    ///
    /// - Parameter rawValue: The string.
    public init(rawValue: String) {
      self.rawValue = rawValue
    }

    /// The key for the title of the sequence.
    public static let title = InfoDictionaryKey(rawValue: "title")
    /// The key for the copyright notice.
    public static let copyright = InfoDictionaryKey(rawValue: "copyright")
    /// The key for the tempo in beats per minute.
    public static let tempo = InfoDictionaryKey(rawValue: "tempo")
    /// The key for the time signature.
    public static let timeSignature = InfoDictionaryKey(rawValue: "time signature")
    /// The key for the key signature.
    public static let keySignature = InfoDictionaryKey(rawValue: "key signature")
    /// The key for the length of the sequence in seconds.
    public static let approximateDurationInSeconds = InfoDictionaryKey(
      rawValue: "approximate duration in seconds")
  }

  private let transport: SequenceTransport
  private let lock = NSLock()
  private var known: [UInt: AVMusicTrack] = [:]

  /// The block of a program, as the data of a function of C.
  private final class UserCallback: Sendable {
    let block: AVAudioSequencerUserCallback
    // Only read; weak references may be read on any thread.
    nonisolated(unsafe) weak var sequencer: AVAudioSequencer?

    init(_ sequencer: AVAudioSequencer, _ block: @escaping AVAudioSequencerUserCallback) {
      unsafe self.sequencer = sequencer
      self.block = block
    }
  }

  /// Creates an empty sequencer without an engine.
  public override init() {
    do {
      transport = try SequenceTransport()
    } catch {
      preconditionFailure("a million sequences exist already")
    }
    super.init()
  }

  /// Creates an empty sequencer that plays the instruments of an engine.
  ///
  /// Tracks without a destination are played by the first instrument that is attached to the
  /// engine. Each event is played at the exact frame. If you render the engine offline, the
  /// sequencer advances with the rendered frames.
  ///
  /// - Parameter engine: The engine. The sequencer does not keep a strong reference to it.
  public convenience init(audioEngine engine: AVAudioEngine) {
    self.init()
    unsafe TrackOutlet.setStandard(EngineTrackSink.outlet(engine), of: transport.sequence)
  }

  deinit {
    _ = unsafe MusicSequenceSetUserCallback(transport.sequence, nil, nil)
  }

  // MARK: Files

  /// Loads a MIDI file and adds its tracks to the sequencer.
  ///
  /// - Parameters:
  ///   - fileURL: The file.
  ///   - options: The options for loading.
  /// - Throws: An `NSError` if the file cannot be read.
  open func load(from fileURL: URL, options: AVMusicSequenceLoadOptions = []) throws {
    try transport.load(fileURL, channelsToTracks: options.contains(.smf_ChannelsToTracks))
  }

  /// Loads a MIDI file from memory and adds its tracks to the sequencer.
  ///
  /// - Parameters:
  ///   - data: The bytes of the file.
  ///   - options: The options for loading.
  /// - Throws: An `NSError` if the bytes are not a valid MIDI file.
  open func load(from data: Data, options: AVMusicSequenceLoadOptions = []) throws {
    try transport.load(data, channelsToTracks: options.contains(.smf_ChannelsToTracks))
  }

  /// Writes the sequence to a MIDI file.
  ///
  /// If an error occurs, no incomplete file is left.
  ///
  /// - Parameters:
  ///   - fileURL: The file.
  ///   - resolution: The resolution in ticks per quarter note, 1…32,767; 0 for 480.
  ///   - replace: True to replace an existing file.
  /// - Throws: An `NSError` if the file exists and is not to be replaced, or if it cannot be
  ///   written.
  open func write(to fileURL: URL, smpteResolution resolution: Int, replaceExisting replace: Bool)
    throws
  {
    let status = unsafe MusicSequenceFileCreate(
      transport.sequence, fileURL as NSURL, .midiType, replace ? .eraseFile : [],
      Int16(clamping: resolution))
    try SequenceTransport.check(status, "MusicSequenceFileCreate")
  }

  /// Returns the sequence as the bytes of a MIDI file.
  ///
  /// - Parameters:
  ///   - SMPTEResolution: The resolution in ticks per quarter note, 1…32,767; 0 for 480.
  ///   - outError: Receives the error, if one occurs; may be nil.
  /// - Returns: The bytes of the file; empty if an error occurred.
  open func data(
    withSMPTEResolution SMPTEResolution: Int, error outError: UnsafeMutablePointer<NSError?>?
  ) -> Data {
    var data: Unmanaged<NSData>?
    let status = unsafe MusicSequenceFileCreateData(
      transport.sequence, .midiType, [], Int16(clamping: SMPTEResolution), &data)
    guard status == 0, let bytes = unsafe data?.takeRetainedValue() else {
      let error = SequenceTransport.error(status, "MusicSequenceFileCreateData")
      unsafe outError?.pointee = error
      return Data()
    }
    return bytes as Data
  }

  // MARK: Tracks

  /// The tracks in order, without the tempo track.
  open var tracks: [AVMusicTrack] {
    let handles = unsafe transport.tracks
    return lock.withLock { unsafe handles.map { unsafe track($0) } }
  }

  /// The tempo track.
  open var tempoTrack: AVMusicTrack {
    var handle: MusicTrack?
    unsafe MusicSequenceGetTempoTrack(transport.sequence, &handle)
    guard let handle = unsafe handle else { preconditionFailure("a sequence has a tempo track") }
    return lock.withLock { unsafe track(handle) }
  }

  @unsafe
  private func track(_ handle: MusicTrack) -> AVMusicTrack {
    let number = UInt(bitPattern: handle)
    if let track = known[number] { return track }
    let track = unsafe AVMusicTrack(handle, of: transport)
    known[number] = track
    return track
  }

  /// Adds an empty track after the last track.
  ///
  /// - Returns: The new track.
  @discardableResult
  open func createAndAppendTrack() -> AVMusicTrack {
    var handle: MusicTrack?
    unsafe MusicSequenceNewTrack(transport.sequence, &handle)
    guard let handle = unsafe handle else { preconditionFailure("65,535 tracks exist already") }
    return lock.withLock { unsafe track(handle) }
  }

  /// Removes a track from the sequencer.
  ///
  /// - Parameter track: The track.
  /// - Returns: True if the track was removed; false if it does not belong to this sequencer.
  @discardableResult
  open func removeTrack(_ track: AVMusicTrack) -> Bool {
    let status = unsafe MusicSequenceDisposeTrack(transport.sequence, track.track)
    guard status == 0 else { return false }
    lock.withLock { _ = known.removeValue(forKey: unsafe UInt(bitPattern: track.track)) }
    return true
  }

  /// Reverses the sequence in time: the events of all tracks, and the tempos.
  ///
  /// Does nothing while the sequencer is playing.
  open func reverseEvents() { unsafe MusicSequenceReverse(transport.sequence) }

  /// Information about the sequence, such as the title, the tempo and the length.
  ///
  /// The keys are the strings of `InfoDictionaryKey`.
  open var userInfo: [String: Any] {
    unsafe MusicSequenceGetInfoDictionary(transport.sequence) as? [String: Any] ?? [:]
  }

  /// Sets the block that is called for user events.
  ///
  /// The block is called on a thread of the sequencer when the event is played.
  ///
  /// - Parameter userCallback: The block; nil to remove the current one.
  open func setUserCallback(_ userCallback: AVAudioSequencerUserCallback?) {
    guard let userCallback else {
      unsafe MusicSequenceSetUserCallback(transport.sequence, nil, nil)
      return
    }
    let callback = UserCallback(self, userCallback)
    transport.keep(callback)
    unsafe MusicSequenceSetUserCallback(
      transport.sequence, Self.function, Unmanaged.passUnretained(callback).toOpaque())
  }

  private static let function: MusicSequenceUserCallback = { data, _, handle, beat, event, _, _ in
    guard let data = unsafe data else { return }
    let callback = unsafe Unmanaged<UserCallback>.fromOpaque(data).takeUnretainedValue()
    guard let sequencer = unsafe callback.sequencer else { return }
    let track = sequencer.lock.withLock { unsafe sequencer.track(handle) }
    let count = unsafe Int(event.pointee.length)
    let start = unsafe UnsafeRawPointer(event) + MemoryLayout<UInt32>.size
    callback.block(track, unsafe Data(bytes: start, count: count), beat)
  }

  // MARK: Times

  /// Converts a position in beats to seconds.
  ///
  /// - Parameter beats: The position in beats.
  /// - Returns: The position in seconds from the start.
  open func seconds(forBeats beats: AVMusicTimeStamp) -> TimeInterval {
    transport.seconds(forBeats: beats)
  }

  /// Converts a position in seconds to beats.
  ///
  /// - Parameter seconds: The position in seconds from the start.
  /// - Returns: The position in beats.
  open func beats(forSeconds seconds: TimeInterval) -> AVMusicTimeStamp {
    transport.beats(forSeconds: seconds)
  }

  /// Returns the host time at which a beat is played.
  ///
  /// - Parameters:
  ///   - inBeats: The position in beats.
  ///   - outError: Receives an error if the sequencer is not playing; may be nil.
  /// - Returns: The host time; 0 if an error occurred.
  open func hostTime(
    forBeats inBeats: AVMusicTimeStamp, error outError: UnsafeMutablePointer<NSError?>?
  ) -> UInt64 {
    do {
      return try transport.hostTime(forBeats: inBeats)
    } catch {
      unsafe outError?.pointee = error as NSError
      return 0
    }
  }

  /// Returns the beat that is played at a host time.
  ///
  /// - Parameters:
  ///   - inHostTime: The host time.
  ///   - outError: Receives an error if the sequencer is not playing; may be nil.
  /// - Returns: The position in beats; 0 if an error occurred.
  open func beats(
    forHostTime inHostTime: UInt64, error outError: UnsafeMutablePointer<NSError?>?
  ) -> AVMusicTimeStamp {
    do {
      return try transport.beats(forHostTime: inHostTime)
    } catch {
      unsafe outError?.pointee = error as NSError
      return 0
    }
  }

  // MARK: Playing

  /// The playback position in seconds.
  ///
  /// NaN and infinite values are ignored.
  open var currentPositionInSeconds: TimeInterval {
    get { transport.seconds(forBeats: transport.position) }
    set { if newValue.isFinite { transport.position = transport.beats(forSeconds: newValue) } }
  }

  /// The playback position in beats.
  open var currentPositionInBeats: AVMusicTimeStamp {
    get { transport.position }
    set { transport.position = newValue }
  }

  /// True from `start()` until `stop()`, even after the last event has been played.
  open var isPlaying: Bool { transport.isPlaying }

  /// The playback rate, as a factor above 0 and up to 32; 1 by default.
  ///
  /// Other values are ignored.
  open var rate: Float {
    get { Float(transport.rate) }
    set { transport.rate = Double(newValue) }
  }

  /// Loads the sounds of the instrument in advance, so that `start()` takes less time.
  open func prepareToPlay() { transport.prepare() }

  /// Starts playback at the current position.
  ///
  /// - Throws: An `NSError` if playback cannot start.
  open func start() throws { try transport.start() }

  /// Stops playback.
  ///
  /// A later call of `start()` continues from the same position.
  open func stop() { transport.stop() }
}
