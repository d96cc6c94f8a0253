// SPDX-License-Identifier: Apache-2.0
public import AudioToolbox
public import Foundation

/// A range of beats in a track.
public struct AVBeatRange: Hashable, BitwiseCopyable, Sendable {
  /// The first beat.
  public var start: AVMusicTimeStamp
  /// The length in beats.
  public var length: AVMusicTimeStamp

  /// Creates an empty range at beat 0.
  public init() {
    (start, length) = (0, 0)
  }

  /// Creates a range of beats.
  ///
  /// - Parameters:
  ///   - start: The first beat.
  ///   - length: The length in beats.
  public init(start: AVMusicTimeStamp, length: AVMusicTimeStamp) {
    (self.start, self.length) = (start, length)
  }
}

/// Creates a range of beats.
///
/// - Parameters:
///   - startBeat: The first beat.
///   - lengthInBeats: The length in beats.
/// - Returns: The range.
public func AVMakeBeatRange(
  _ startBeat: AVMusicTimeStamp, _ lengthInBeats: AVMusicTimeStamp
) -> AVBeatRange {
  AVBeatRange(start: startBeat, length: lengthInBeats)
}

/// Special values for `AVMusicTrack.numberOfLoops`.
public enum AVMusicTrackLoopCount: Int, Sendable {
  /// The loop repeats without end.
  case forever = -1
}

/// A track of a sequencer.
///
/// - Note: Any thread.
@safe
open class AVMusicTrack: NSObject, @unchecked Sendable {
  // Unchecked: variables are used under a lock; handles may be used on any thread.

  let track: MusicTrack
  private let transport: SequenceTransport
  private let lock = NSLock()
  private var loop: AVBeatRange?
  private var loops = AVMusicTrackLoopCount.forever.rawValue
  private var loopsNow = false
  private weak var unit: AVAudioUnit?

  @unsafe
  init(_ track: MusicTrack, of transport: SequenceTransport) {
    unsafe self.track = track
    self.transport = transport
    super.init()
  }

  // MARK: Destination

  /// The MIDI endpoint to which the events are sent; 0 by default.
  ///
  /// With 0, the track is played by the sequencer's engine or synthesiser.
  open var destinationMIDIEndpoint: MIDIEndpointRef {
    get { endpoint }
    set {
      lock.withLock {
        guard unsafe MusicTrackSetDestMIDIEndpoint(track, newValue) == noErr else { return }
        unit = nil
      }
    }
  }

  private var endpoint: MIDIEndpointRef {
    var endpoint: MIDIEndpointRef = 0
    return unsafe MusicTrackGetDestMIDIEndpoint(track, &endpoint) == noErr ? endpoint : 0
  }

  /// The instrument that plays the track; nil, the default, for the first instrument of the
  /// sequencer's engine, or `destinationMIDIEndpoint`.
  ///
  /// The track does not keep the instrument. The value cannot be changed during playback.
  open var destinationAudioUnit: AVAudioUnit? {
    get { lock.withLock { unit } }
    set {
      lock.withLock {
        // nil removes an instrument, but leaves an endpoint.
        guard newValue != nil || endpoint == 0 else { return }
        let outlet = newValue.map { EngineTrackSink.outlet(nil, node: $0) }
        guard unsafe TrackOutlet.set(outlet, of: track) == noErr else { return }
        unit = newValue
      }
    }
  }

  // MARK: Loop

  /// The range of the loop; the whole track by default.
  ///
  /// Invalid ranges are ignored.
  open var loopRange: AVBeatRange {
    get { lock.withLock { range } }
    set {
      guard newValue.start >= 0, newValue.length > 0, newValue.start + newValue.length <= 1e9 else {
        return
      }
      lock.withLock {
        loop = newValue
        if loopsNow { applyLoop() }
      }
    }
  }

  /// True if the loop is on; false by default.
  open var isLoopingEnabled: Bool {
    get { lock.withLock { loopsNow } }
    set {
      lock.withLock {
        guard newValue != loopsNow else { return }
        loopsNow = newValue
        applyLoop()
      }
    }
  }

  /// The number of times that the loop is played, at least 1; `forever` (−1) by default.
  ///
  /// The track stops when the loop has been played this many times. Other values are ignored.
  open var numberOfLoops: Int {
    get { lock.withLock { loops } }
    set {
      guard newValue == -1 || (1...Int(Int32.max)).contains(newValue) else { return }
      lock.withLock {
        loops = newValue
        if loopsNow { applyLoop() }
      }
    }
  }

  private var range: AVBeatRange {
    loop ?? AVBeatRange(start: 0, length: length)
  }

  private func applyLoop() {
    let loop = TrackLoop(start: range.start, length: range.length, count: max(0, loops))
    unsafe TrackLoop.set(loopsNow ? loop : nil, of: track)
  }

  private var length: Double {
    get { unsafe TrackValues.number(kSequenceTrackProperty_TrackLength, of: track) }
    set { unsafe TrackValues.set(kSequenceTrackProperty_TrackLength, of: track, to: newValue) }
  }

  // MARK: Properties

  /// The number of beats by which the whole track starts later; 0 by default.
  open var offsetTime: AVMusicTimeStamp {
    get { unsafe TrackValues.number(kSequenceTrackProperty_OffsetTime, of: track) }
    set { unsafe TrackValues.set(kSequenceTrackProperty_OffsetTime, of: track, to: newValue) }
  }

  /// True if the track is muted; false by default.
  open var isMuted: Bool {
    get { unsafe TrackValues.value(kSequenceTrackProperty_MuteStatus, of: track, UInt8(0)) != 0 }
    set {
      unsafe TrackValues.set(
        kSequenceTrackProperty_MuteStatus, of: track, to: UInt8(newValue ? 1 : 0))
    }
  }

  /// True if the track is soloed; false by default.
  ///
  /// If any track is soloed, only soloed tracks are played.
  open var isSoloed: Bool {
    get { unsafe TrackValues.value(kSequenceTrackProperty_SoloStatus, of: track, UInt8(0)) != 0 }
    set {
      unsafe TrackValues.set(
        kSequenceTrackProperty_SoloStatus, of: track, to: UInt8(newValue ? 1 : 0))
    }
  }

  /// The length of the track in beats.
  open var lengthInBeats: AVMusicTimeStamp {
    get { length }
    set { length = newValue }
  }

  /// The length of the track in seconds.
  ///
  /// NaN and infinite values are ignored.
  open var lengthInSeconds: TimeInterval {
    get { transport.seconds(forBeats: lengthInBeats) }
    set { if newValue.isFinite { lengthInBeats = transport.beats(forSeconds: newValue) } }
  }

  /// The resolution of the loaded MIDI file, in ticks per quarter note.
  ///
  /// Only the tempo track has this value; it is 0 for other tracks.
  open var timeResolution: Int {
    Int(unsafe TrackValues.value(kSequenceTrackProperty_TimeResolution, of: track, Int16(0)))
  }

  /// True if the track is an automation track; false by default.
  ///
  /// The value is stored, but not used.
  open var usesAutomatedParameters: Bool {
    get {
      unsafe TrackValues.value(kSequenceTrackProperty_AutomatedParameters, of: track, UInt32(0))
        != 0
    }
    set {
      unsafe TrackValues.set(
        kSequenceTrackProperty_AutomatedParameters, of: track, to: UInt32(newValue ? 1 : 0))
    }
  }
}
