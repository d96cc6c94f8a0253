// SPDX-License-Identifier: Apache-2.0
public import AudioFiles
public import MusicalTime
internal import Synchronization

/// A short sound, held in memory and ready to be played at any time, any number of times at once.
///
/// It is brought to the rate it will be played at when it is made, and takes 8 bytes a frame, or 4
/// where it has one channel.
///
/// - Note: Any thread.
public final class SystemSound: Sendable, Identifiable {
  /// The longest sound, in seconds.
  public static let longest = 30

  /// Where it came from; what it is called where that was no file.
  public let path: String
  /// The rate it is played at.
  public let rate: SampleRate
  /// What the file is short of, by what it says of itself; nil where it is whole.
  public let shortfall: SoundShortfall?
  /// Whether it keeps silent where the user has turned the sounds of the interface off.
  public var isUISound: Bool {
    get { obeysSwitch.load(ordering: .relaxed) }
    set { obeysSwitch.store(newValue, ordering: .relaxed) }
  }
  /// Whether it is heard to its end even if this process dies: another one plays it.
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
  ///   - path: the file.
  ///   - rate: the rate it will be played at, which is the output's.
  /// - Throws: `ClipError`; longer than 30 s is `.tooLong`.
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
    // A file may hold more than its header says.
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

  /// Takes samples that are in memory.
  ///
  /// - Parameters:
  ///   - name: what it is called.
  ///   - interleaved: whole frames, at most 30 s.
  ///   - channelCount: 1 or 2.
  ///   - rate: their rate, which is the output's.
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

  /// The frames, at the rate it is played at.
  public var frameCount: Int { memory.frameCount }

  /// The bytes that its samples take.
  public var residentBytes: Int { memory.byteCount }

  /// Lets nobody play it from now on; those who play it are a matter of the board.
  func dispose() {
    gone.store(true, ordering: .releasing)
  }

  var isDisposed: Bool { gone.load(ordering: .acquiring) }
}
