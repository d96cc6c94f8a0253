// SPDX-License-Identifier: Apache-2.0
internal import AudioProcessing
internal import MusicalTime
internal import Realtime

/// The unit of a player: one bus.
///
/// - Note: One thread at a time sends and takes facts.
final class PlayerUnit: ProcessingUnit, @unchecked Sendable {
  // Unchecked: the kernel is that of the render thread; the other ends of the rings, and the chunks,
  // are used under the lock of the stream.

  let name = "player"
  let rate: SampleRate?
  let inputChannelCounts: [Int] = []
  let outputChannelCounts: [Int]
  let sampleRate: SampleRate
  private let orders = RingBuffer<PlayerOrder>(minimumCapacity: 2 * PlayerKernel.entryLimit)
  private let facts = RingBuffer<PlayerFact>(minimumCapacity: PlayerKernel.entryLimit)
  private let shown: Snapshot<PlayerStatus>
  private let kernel: KernelBox<PlayerKernel>
  /// The chunks that the kernel has, by number.
  private var chunks: [Int64: PlayerChunk] = [:]
  private var nextNumber: Int64 = 0
  private var frameCount = 0
  /// The orders that did not fit into the ring.
  private var waiting: [PlayerOrder] = []

  /// Creates a unit that is paused.
  ///
  /// - Parameters:
  ///   - channelCount: The channels, 1 or 2.
  ///   - rate: The rate of the engine.
  ///   - played: The frames that were played before.
  init(channelCount: Int, rate: SampleRate, played: Int64) {
    (self.rate, sampleRate) = (rate, rate)
    outputChannelCounts = [channelCount]
    var status = PlayerStatus()
    status.played = played
    shown = Snapshot(status)
    kernel = unsafe KernelBox(
      PlayerKernel(
        channelCount: channelCount, played: played, orders: orders.reader, facts: facts.writer,
        shown: shown.writer),
      PlayerKernel.function)
  }

  var channelCount: Int { outputChannelCounts[0] }

  var step: RenderStep { kernel.step }

  /// The position after the last quantum.
  var status: PlayerStatus { shown.read() }

  /// The chunk with a number that the kernel has not returned.
  func chunk(_ number: Int64) -> PlayerChunk? { chunks[number] }

  /// The oldest chunk that the kernel has not returned.
  var oldestChunk: PlayerChunk? { chunks.min { $0.key < $1.key }?.value }

  /// True if another chunk can be appended: there are 256 at most, and a second of sound.
  var hasRoom: Bool {
    chunks.count < 2
      || chunks.count < PlayerKernel.entryLimit / 2 && frameCount < Int(sampleRate.hertz)
  }

  /// The number of the next chunk.
  var limit: Int64 { nextNumber }

  func append(_ chunk: PlayerChunk, startFrame: Int64?, loops: Bool) {
    let entry = unsafe PlayerEntry(
      number: nextNumber, segment: chunk.segment, samples: chunk.samples,
      frameCount: chunk.frameCount, startFrame: startFrame ?? .min, loops: loops)
    chunks[nextNumber] = chunk
    nextNumber += 1
    frameCount += chunk.frameCount
    send(.append(entry))
  }

  /// Sends an order, or keeps it until there is room.
  func send(_ order: PlayerOrder) {
    if case .pause = order, case .pause? = waiting.last { return }
    if !waiting.isEmpty || !orders.writer.push(order) { waiting.append(order) }
  }

  /// Sends the orders that had to wait.
  func sendWaiting() {
    let count = waiting.prefix { orders.writer.push($0) }.count
    if count > 0 { waiting.removeFirst(count) }
  }

  /// The next chunk that the kernel returns, and the engine's frame after its end; nil if none has
  /// been returned.
  func takeBack() -> (chunk: PlayerChunk, endFrame: Int64)? {
    while let fact = facts.reader.pop() {
      guard let chunk = chunks.removeValue(forKey: fact.number) else { continue }
      frameCount -= chunk.frameCount
      return (chunk, fact.endFrame)
    }
    return nil
  }
}
