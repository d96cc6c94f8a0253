// SPDX-License-Identifier: Apache-2.0
public import AudioFiles
public import MusicalTime
internal import Synchronization

/// A short sound in memory, which can be played at any time without delay, even several times at
/// once.
///
/// The sound is converted to the output's sample rate when it is created. A stereo sound needs 8
/// bytes of memory per frame, a mono sound 4 bytes.
///
/// - Note: Safe to use from any thread.
public final class SystemSound: Sendable, Identifiable {
  /// The maximum duration of a sound, in seconds.
  public static let longest = 30

  /// The name of the file, or the name of a sound that was created from samples.
  public let path: String
  /// The sample rate of the sound, which is that of the output.
  public let rate: SampleRate
  /// The missing part of a truncated file; nil if the file was complete.
  public let shortfall: SoundShortfall?
  /// True for a user interface sound, which is silent if `SoundBoard.playsUISounds` is false; true
  /// by default.
  public var isUISound: Bool {
    get { obeysSwitch.load(ordering: .relaxed) }
    set { obeysSwitch.store(newValue, ordering: .relaxed) }
  }
  /// True to play the sound in another process, so that it is played to its end even if this
  /// process ends; false by default.
  public var completesIfProcessDies: Bool {
    get { isDetached.load(ordering: .relaxed) }
    set { isDetached.store(newValue, ordering: .relaxed) }
  }

  let memory: ClipMemory
  private let obeysSwitch = Atomic<Bool>(true)
  private let isDetached = Atomic<Bool>(false)
  private let gone = Atomic<Bool>(false)

  private static let channelLimit = 32

  /// Reads a sound file into memory.
  ///
  /// - Parameters:
  ///   - path: The name of the file.
  ///   - rate: The sample rate of the output, to which the sound is converted.
  /// - Throws: `ClipError`; `.tooLong` for more than 30 s.
  /// - Complexity: O(n) in the number of frames.
  public convenience init(path: String, rate: SampleRate) throws(ClipError) {
    let reader: SoundFileReader
    do {
      reader = try SoundFileReader(path: path)
    } catch {
      throw .unreadable(error)
    }
    try self.init(reader, rate: rate)
  }

  private convenience init(_ reader: SoundFileReader, rate: SampleRate) throws(ClipError) {
    let path = reader.path
    guard reader.channelCount <= Self.channelLimit else {
      throw .tooManyChannels(path: path, count: reader.channelCount)
    }
    let limit = Self.longest * Int(reader.rate.hertz)
    if reader.frameCount != .max, reader.frameCount > limit {
      throw .tooLong(path: path, seconds: reader.frameCount / Int(reader.rate.hertz))
    }
    let channels = min(2, reader.channelCount)
    do {
      try reader.setClient(ClientFormat(rate: rate, channelCount: channels))
    } catch {
      throw .unreadable(error)
    }
    // A file can contain more frames than its header states.
    let frames = Self.longest * Int(rate.hertz)
    let samples = reader.read(Float.self, frameCount: frames + 1)
    guard samples.count <= frames * channels else {
      throw .tooLong(path: path, seconds: Self.longest)
    }
    guard !samples.isEmpty else { throw .empty(path: path) }
    self.init(
      name: path, interleaved: samples, channelCount: channels, rate: rate,
      shortfall: reader.shortfall)
  }

  /// Creates a sound from samples.
  ///
  /// - Parameters:
  ///   - name: The name of the sound.
  ///   - interleaved: The samples, interleaved: complete frames, at most 30 s.
  ///   - channelCount: The number of channels, 1 or 2.
  ///   - rate: The sample rate of the samples, which must be that of the output.
  public convenience init(name: String, interleaved: [Float], channelCount: Int, rate: SampleRate) {
    self.init(
      name: name, interleaved: interleaved, channelCount: channelCount, rate: rate,
      shortfall: nil)
  }

  private init(
    name: String, interleaved: [Float], channelCount: Int, rate: SampleRate,
    shortfall: SoundShortfall?
  ) {
    path = name
    self.rate = rate
    self.shortfall = shortfall
    memory = ClipMemory(interleaved: interleaved, channelCount: channelCount)
  }

  /// The number of frames of the sound, at the output's sample rate.
  public var frameCount: Int { memory.frameCount }

  /// The memory of the sound's samples, in bytes.
  public var residentBytes: Int { memory.byteCount }

  /// Prevents new plays.
  ///
  /// Current plays are not affected.
  func dispose() {
    gone.store(true, ordering: .releasing)
  }

  var isDisposed: Bool { gone.load(ordering: .acquiring) }
}
