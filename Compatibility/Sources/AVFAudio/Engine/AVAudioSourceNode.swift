// SPDX-License-Identifier: Apache-2.0
internal import AudioProcessing
internal import CoreAudio
internal import Foundation
internal import MusicalTime
internal import Synchronization

/// A node whose audio is rendered by a closure.
@safe
open class AVAudioSourceNode: AVAudioMixedNode, @unchecked Sendable {
  private let format: AVAudioFormat?
  private let block: AVAudioSourceNodeRenderBlock
  /// The present unit, if it renders ahead.
  private let supply = Mutex<SupplyUnit?>(nil)

  /// Creates a source node that renders in the format of its connection.
  ///
  /// - Parameter block: The closure that renders the audio.
  public init(renderBlock block: @escaping AVAudioSourceNodeRenderBlock) {
    format = nil
    unsafe self.block = block
    super.init()
  }

  /// Creates a source node that renders in a given format.
  ///
  /// - Parameters:
  ///   - format: A PCM format. The audio is converted to the format of the connection.
  ///   - block: The closure that renders the audio.
  public init(format: AVAudioFormat, renderBlock block: @escaping AVAudioSourceNodeRenderBlock) {
    self.format = format
    unsafe self.block = block
    super.init()
  }

  override func makeUnit(_ shape: UnitShape) -> (any ProcessingUnit)? {
    let count = shape.outputChannelCount
    let source = format ?? shape.output
    let rate = SampleRate(description: source.sampleRate) ?? shape.rate
    let isPlain =
      rate == shape.rate && source.commonFormat == .pcmFormatFloat32
      && Int(source.channelCount) == count
    if isPlain {
      supply.withLock { $0 = nil }
      return unsafe SourceUnit(source, block, rate: shape.rate)
    }
    let frames = unsafe BlockSupply(source, rate, block, to: shape.rate, channelCount: count)
    let unit = frames.map { SupplyUnit($0, channelCount: count, rate: shape.rate) }
    supply.withLock { $0 = unit }
    return unit
  }

  override var served: (any EngineServed)? { supply.withLock { $0 } }
}
