// SPDX-License-Identifier: Apache-2.0
internal import CommandKit
internal import CommandOptions
internal import Downbeat
internal import FileNames
internal import Glibc
internal import MusicalTime
internal import PlayerControl
internal import PlayerViews

/// The estimated length and size of a rendering.
struct RenderSize {
  /// The longest automatic tail, in seconds.
  private static let longestTail: Int64 = 60

  /// The number of frames without the tail.
  let frameCount: Int64
  /// The maximum number of frames.
  let mostFrames: Int64
  private let rate: SampleRate

  /// Computes the size from the frames of the song, the tail, and the frame at which the file ends.
  init(songFrames: Int64, tail: RenderTail, limit: Int64, rate: SampleRate) {
    frameCount = min(songFrames, limit)
    self.rate = rate
    let tailFrames: Int64 =
      switch tail {
      case .auto: Self.longestTail * Int64(rate.hertz)
      case .seconds(let seconds): Int64(seconds * Double(rate.hertz))
      case .exact, .none: 0
      }
    let (sum, isTooLong) = songFrames.addingReportingOverflow(tailFrames)
    mostFrames = min(isTooLong ? .max : sum, limit)
  }

  /// Fails if the free space of a folder is too small.
  func checkRoom(in folder: String, bytesPerFrame: Int, for name: String) throws {
    var room = statvfs()
    guard folder.withSystemPath({ unsafe statvfs($0, &room) }) == 0 else { return }
    let free = Double(room.f_bavail) * Double(room.f_frsize)
    let wanted = Double(frameCount) * Double(bytesPerFrame)
    guard wanted > free else { return }
    throw Failure(
      .ioError,
      "\(name): needs \(Self.size(wanted)) for \(duration) of sound, and only"
        + " \(Self.size(free)) is free (try --length)")
  }

  /// The notice for the user about a long rendering; nil below one hour.
  var notice: String? {
    frameCount >= 3600 * Int64(rate.hertz) ? "\(duration) of sound" : nil
  }

  private var duration: String {
    let seconds = frameCount / Int64(rate.hertz)
    let hours = seconds / 3600
    if hours == 0 { return (Double(frameCount) / Double(rate.hertz)).lengthText }
    return hours < 48
      ? "\(hours) h \(seconds % 3600 / 60) min" : Int(hours / 24).counted("day")
  }

  private static func size(_ bytes: Double) -> String {
    if bytes < 1e9 { return "\((bytes / 1e5).rounded() / 10) MB" }
    let tenths = (bytes / 1e8).rounded()
    return tenths < 1e15 ? "\(tenths / 10) GB" : "more than 100000000 GB"
  }
}
