// SPDX-License-Identifier: Apache-2.0
public import AudioProcessing
internal import Synchronization

/// The measurements of the render thread.
extension AudioPlayer {
  /// The number of quanta (of 64 frames) that were silent because sound was not read in time.
  public var underrunCount: Int {
    unsafe kernel.pointee.gauges.pointee.underrunCount.load(ordering: .relaxed)
  }

  /// The number of sounds that started late, because their start frame was already in the past.
  public var lateCount: Int {
    unsafe kernel.pointee.gauges.pointee.lateCount.load(ordering: .relaxed)
  }

  /// The levels of both channels after gain and pan.
  public var level: (left: Level, right: Level) {
    let gauges = unsafe kernel.pointee.gauges
    return unsafe (
      Self.level(gauges.pointee.leftPeak, gauges.pointee.leftSquare, gauges.pointee.leftMaximum),
      Self.level(gauges.pointee.rightPeak, gauges.pointee.rightSquare, gauges.pointee.rightMaximum)
    )
  }

  private static func level(
    _ peak: borrowing Atomic<UInt32>, _ square: borrowing Atomic<UInt32>,
    _ maximum: borrowing Atomic<UInt32>
  ) -> Level {
    var level = Level()
    level.peak = Float(bitPattern: peak.load(ordering: .relaxed))
    level.meanSquare = Float(bitPattern: square.load(ordering: .relaxed))
    level.maximum = Float(bitPattern: maximum.load(ordering: .relaxed))
    return level
  }
}
