// SPDX-License-Identifier: Apache-2.0
internal import AudioToolbox
public import Foundation

/// Options for loading a MIDI file.
public struct AVMusicSequenceLoadOptions: OptionSet, Hashable, Sendable {
  /// The bits.
  public let rawValue: UInt

  /// Creates options from bits.
  ///
  /// - Parameter rawValue: The bits.
  public init(rawValue: UInt) {
    self.rawValue = rawValue
  }

  /// Tracks stay as they are in the file.
  public static let smf_PreserveTracks = AVMusicSequenceLoadOptions([])
  /// Each channel of a file of format 0 becomes a track.
  public static let smf_ChannelsToTracks = AVMusicSequenceLoadOptions(rawValue: 1)
  /// The same as `smf_ChannelsToTracks`.
  public static let smfChannelsToTracks = smf_ChannelsToTracks
}

/// A block that is called for user events: the track, the bytes and the beat.
public typealias AVAudioSequencerUserCallback =
  @Sendable (AVMusicTrack, Data, AVMusicTimeStamp) -> Void

/// Plays a sequence of tracks.
///
/// Tracks without a destination are played by the first instrument of the engine, or without an
/// engine by a synthesiser with the soundfont that `downbeat` finds.
///
/// - Note: Any thread.
@safe
open class AVAudioSequencer: NSObject, @unchecked Sendable {
  // Unchecked: variables are used under a lock; the transport is sendable.

  /// A key of `userInfo`.
  public struct InfoDictionaryKey: RawRepresentable, Hashable, Sendable {
    /// The key's text.
    public let rawValue: String

    /// Creates a key.
    ///
    /// - Parameter rawValue: The text.
    public init(rawValue: String) {
      self.rawValue = rawValue
    }

    /// The title.
    public static let title = InfoDictionaryKey(rawValue: "title")
    /// The copyright.
    public static let copyright = InfoDictionaryKey(rawValue: "copyright")
    /// The tempo in beats per minute.
    public static let tempo = InfoDictionaryKey(rawValue: "tempo")
    /// The time signature.
    public static let timeSignature = InfoDictionaryKey(rawValue: "time signature")
    /// The key signature.
    public static let keySignature = InfoDictionaryKey(rawValue: "key signature")
    /// The length in seconds.
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

  /// Creates an empty sequencer.
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
  /// Tracks without a destination go to the first instrument that is attached to the engine. Each
  /// event is played at the frame of its time. If the program renders the engine offline, the
  /// sequencer advances with the frames that are rendered.
  ///
  /// - Parameter engine: The engine; the sequencer does not keep it.
  public convenience init(audioEngine engine: AVAudioEngine) {
    self.init()
    unsafe TrackOutlet.setStandard(EngineTrackSink.outlet(engine), of: transport.sequence)
  }

  deinit {
    _ = unsafe MusicSequenceSetUserCallback(transport.sequence, nil, nil)
  }

  // MARK: Files

  /// Adds the tracks of a MIDI file.
  ///
  /// - Parameters:
  ///   - fileURL: The file.
  ///   - options: Options.
  /// - Throws: An `NSError` if the file cannot be read.
  open func load(from fileURL: URL, options: AVMusicSequenceLoadOptions = []) throws {
    try transport.load(fileURL, channelsToTracks: options.contains(.smf_ChannelsToTracks))
  }

  /// Adds the tracks of a MIDI file in memory.
  ///
  /// - Parameters:
  ///   - data: The bytes of the file.
  ///   - options: Options.
  /// - Throws: An `NSError` if the bytes cannot be read.
  open func load(from data: Data, options: AVMusicSequenceLoadOptions = []) throws {
    try transport.load(data, channelsToTracks: options.contains(.smf_ChannelsToTracks))
  }

  /// Writes a MIDI file, which appears complete or not at all.
  ///
  /// - Parameters:
  ///   - fileURL: The file.
  ///   - resolution: Ticks per quarter note, 1…32,767; 0 for 480.
  ///   - replace: True to replace an existing file.
  /// - Throws: An `NSError` if the file exists or cannot be written.
  open func write(to fileURL: URL, smpteResolution resolution: Int, replaceExisting replace: Bool)
    throws
  {
    let status = unsafe MusicSequenceFileCreate(
      transport.sequence, fileURL as NSURL, .midiType, replace ? .eraseFile : [],
      Int16(clamping: resolution))
    try SequenceTransport.check(status, "MusicSequenceFileCreate")
  }

  /// Returns the sequence as a MIDI file.
  ///
  /// - Parameters:
  ///   - SMPTEResolution: Ticks per quarter note, 1…32,767; 0 for 480.
  ///   - outError: Receives an error.
  /// - Returns: The bytes; empty after an error.
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

  /// The tracks without the tempo track, in order.
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

  /// Adds an empty track.
  ///
  /// - Returns: The track.
  @discardableResult
  open func createAndAppendTrack() -> AVMusicTrack {
    var handle: MusicTrack?
    unsafe MusicSequenceNewTrack(transport.sequence, &handle)
    guard let handle = unsafe handle else { preconditionFailure("65,535 tracks exist already") }
    return lock.withLock { unsafe track(handle) }
  }

  /// Removes a track.
  ///
  /// - Parameter track: The track.
  /// - Returns: False if it is not a track of this sequencer.
  @discardableResult
  open func removeTrack(_ track: AVMusicTrack) -> Bool {
    let status = unsafe MusicSequenceDisposeTrack(transport.sequence, track.track)
    guard status == 0 else { return false }
    lock.withLock { _ = known.removeValue(forKey: unsafe UInt(bitPattern: track.track)) }
    return true
  }

  /// Reverses the events of all tracks.
  open func reverseEvents() { unsafe MusicSequenceReverse(transport.sequence) }

  /// The title, tempo, length and other facts of the sequence.
  open var userInfo: [String: Any] {
    unsafe MusicSequenceGetInfoDictionary(transport.sequence) as? [String: Any] ?? [:]
  }

  /// Sets the block that is called for user events, on a thread of the player.
  ///
  /// - Parameter userCallback: The block; nil for none.
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

  /// Returns the seconds of a beat.
  ///
  /// - Parameter beats: The beat.
  /// - Returns: The seconds from the start.
  open func seconds(forBeats beats: AVMusicTimeStamp) -> TimeInterval {
    transport.seconds(forBeats: beats)
  }

  /// Returns the beat of a time.
  ///
  /// - Parameter seconds: The seconds from the start.
  /// - Returns: The beat.
  open func beats(forSeconds seconds: TimeInterval) -> AVMusicTimeStamp {
    transport.beats(forSeconds: seconds)
  }

  /// Returns the host time at which a beat is played.
  ///
  /// - Parameters:
  ///   - inBeats: The beat.
  ///   - outError: Receives an error if the sequencer does not play.
  /// - Returns: The host time; 0 after an error.
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
  ///   - outError: Receives an error if the sequencer does not play.
  /// - Returns: The beat; 0 after an error.
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

  /// The position in seconds; a value that is not a number changes nothing.
  open var currentPositionInSeconds: TimeInterval {
    get { transport.seconds(forBeats: transport.position) }
    set { if newValue.isFinite { transport.position = transport.beats(forSeconds: newValue) } }
  }

  /// The position in beats.
  open var currentPositionInBeats: AVMusicTimeStamp {
    get { transport.position }
    set { transport.position = newValue }
  }

  /// True from `start` until `stop`, also after the last event.
  open var isPlaying: Bool { transport.isPlaying }

  /// The rate as a factor, above 0 and up to 32; other values change nothing; 1 by default.
  open var rate: Float {
    get { Float(transport.rate) }
    set { transport.rate = Double(newValue) }
  }

  /// Reads the sounds, so that `start` takes less time.
  open func prepareToPlay() { transport.prepare() }

  /// Plays from the present position.
  ///
  /// - Throws: An `NSError` if the sequencer cannot start.
  open func start() throws { try transport.start() }

  /// Stops; `start` continues at this position.
  open func stop() { transport.stop() }
}
