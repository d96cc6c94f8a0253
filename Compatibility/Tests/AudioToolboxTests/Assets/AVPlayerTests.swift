// SPDX-License-Identifier: Apache-2.0
import AVFoundation
import Foundation
import Synchronization
import TestSupport
import Testing

/// Players of files on the null output, in real time; no test depends on the exact times.
@Suite struct AVPlayerTests {
  private let scratch: ScratchFolder

  init() throws { scratch = try ScratchFolder() }

  private func player(seconds: Double) throws -> AVPlayer {
    AVPlayer(url: try PlayedFiles.tone(seconds: seconds, in: scratch))
  }

  /// Counts notifications of an object.
  private final class Inbox: @unchecked Sendable {
    private let names = Mutex<[String]>([])
    private var observers: [any NSObjectProtocol] = []

    init(_ object: AVPlayerItem?) {
      let wanted: [NSNotification.Name] = [
        .AVPlayerItemDidPlayToEndTime, .AVPlayerItemFailedToPlayToEndTime,
      ]
      observers = wanted.map { name in
        NotificationCenter.default.addObserver(forName: name, object: object, queue: nil) {
          [weak self] note in self?.names.withLock { $0.append(note.name.rawValue) }
        }
      }
    }

    deinit { for observer in observers { NotificationCenter.default.removeObserver(observer) } }

    var received: [String] { names.withLock { $0 } }
  }

  @Test func `A file is played to its end, which is posted once`() async throws {
    let player = try player(seconds: 0.2)
    let item = try #require(player.currentItem)
    let inbox = Inbox(item)
    #expect(player.timeControlStatus == .paused && player.rate == 0)
    #expect(await PlayedFiles.wait { item.status == .readyToPlay })
    #expect(item.duration == CMTime(value: 8820, timescale: 44_100))
    #expect(player.status == .readyToPlay && player.currentTime() == .zero)
    player.play()
    #expect(player.rate == 1 && player.timeControlStatus == .playing)
    #expect(await PlayedFiles.wait { !inbox.received.isEmpty })
    #expect(inbox.received == [NSNotification.Name.AVPlayerItemDidPlayToEndTime.rawValue])
    #expect(player.rate == 0 && player.currentTime() == item.duration)
    player.play()
    #expect(player.currentTime() == item.duration)
    #expect(await player.seek(to: .zero))
    #expect(await PlayedFiles.wait { inbox.received.count == 2 })
  }

  @Test func `Playing begins when an item is ready, if it was asked for before`() async throws {
    let player = try player(seconds: 0.1)
    let inbox = Inbox(player.currentItem)
    player.play()
    #expect(player.timeControlStatus != .paused)
    #expect(await PlayedFiles.wait { inbox.received.count == 1 })
    #expect(player.reasonForWaitingToPlay == nil)
  }

  @Test func `Seeks are exact to the frame, before and after the item is ready`() async throws {
    let player = try player(seconds: 5)
    let early = CMTime(value: 12_345, timescale: 44_100)
    player.seek(to: early) { _ in }
    #expect(player.currentTime() == early)
    let item = try #require(player.currentItem)
    #expect(await PlayedFiles.wait { item.status == .readyToPlay })
    #expect(player.currentTime() == early)
    player.play()
    #expect(await PlayedFiles.wait { player.currentTime() > early })
    player.pause()
    for frame in [0, 1, 100_000, 44_101] as [CMTimeValue] {
      let time = CMTime(value: frame, timescale: 44_100)
      let isDone = await player.seek(to: time, toleranceBefore: .zero, toleranceAfter: .zero)
      #expect(isDone && player.currentTime() == time)
    }
    #expect(await player.seek(to: CMTime(value: -5, timescale: 1)))
    #expect(player.currentTime() == .zero)
    #expect(await player.seek(to: CMTime(value: 100, timescale: 1)))
    #expect(player.currentTime() == item.duration)
    #expect(await !player.seek(to: .invalid))
  }

  @Test func `A seek that another follows is not finished`() async throws {
    let player = try player(seconds: 5)
    let results = Mutex<[Int: Bool]>([:])
    for number in 1...3 {
      player.seek(to: CMTime(value: CMTimeValue(number), timescale: 10)) { isFinished in
        results.withLock { $0[number] = isFinished }
      }
    }
    #expect(await PlayedFiles.wait { results.withLock { $0.count } == 3 })
    #expect(results.withLock { $0 } == [1: false, 2: false, 3: true])
    #expect(player.currentTime() == CMTime(value: 3, timescale: 10))
  }

  @Test func `Observers are called in the order of their times`() async throws {
    let player = try player(seconds: 0.4)
    let calls = Mutex<[String]>([])
    let queue = DispatchQueue(label: "observers")
    let times = [0.3, 0.1, 0.2].map { CMTime(seconds: $0, preferredTimescale: 44_100) }
    let boundary = player.addBoundaryTimeObserver(forTimes: times, queue: queue) {
      calls.withLock { $0.append("boundary") }
    }
    let single = player.addBoundaryTimeObserver(
      forTimes: [CMTime(seconds: 0.25, preferredTimescale: 44_100)], queue: queue
    ) { calls.withLock { $0.append("single") } }
    let seen = Mutex<[Double]>([])
    let periodic = player.addPeriodicTimeObserver(
      forInterval: CMTime(value: 1, timescale: 50), queue: queue
    ) { time in seen.withLock { $0.append(time.seconds) } }
    let inbox = Inbox(player.currentItem)
    player.play()
    #expect(await PlayedFiles.wait { inbox.received.count == 1 })
    queue.sync {}
    #expect(calls.withLock { $0 } == ["boundary", "boundary", "single", "boundary"])
    let all = seen.withLock { $0 }
    #expect(all.count >= 2 && all == all.sorted() && (all.last ?? 1) <= 0.4)
    for observer in [boundary, single, periodic] { player.removeTimeObserver(observer) }
    await player.seek(to: .zero)
    player.play()
    #expect(await PlayedFiles.wait { inbox.received.count == 2 })
    queue.sync {}
    #expect(calls.withLock { $0.count } == 4 && seen.withLock { $0.count } == all.count)
  }

  @Test func `Volume, rates and actions are held in their ranges`() throws {
    let player = try player(seconds: 1)
    player.volume = 3
    #expect(player.volume == 1)
    player.volume = .nan
    #expect(player.volume == 0)
    player.isMuted = true
    player.rate = 9
    #expect(player.rate == 2 && player.isMuted)
    player.rate = -1
    #expect(player.rate == 0)
    player.rate = .nan
    #expect(player.rate == 0)
    player.defaultRate = 1.5
    player.play()
    #expect(player.rate == 1.5)
    player.replaceCurrentItem(with: nil)
    #expect(player.currentItem == nil && player.reasonForWaitingToPlay == .noItemToPlay)
    #expect(player.currentTime() == .zero)
  }

  @Test func `A file that is not sound fails, and Apple's error is the item's`() async throws {
    try scratch.write("This is not a sound.", to: "text.wav")
    let player = AVPlayer(url: URL(fileURLWithPath: scratch.path("text.wav")))
    player.play()
    let item = try #require(player.currentItem)
    #expect(await PlayedFiles.wait { item.status == .failed })
    #expect(AssetSamples.code(item.error) == .fileFormatNotRecognized)
    #expect(item.duration == .indefinite && player.timeControlStatus != .playing)
    let other = AVPlayer(url: try #require(URL(string: "ftp://127.0.0.1/a.mp3")))
    let address = try #require(other.currentItem)
    #expect(await PlayedFiles.wait { address.status == .failed })
  }

  @Test func `An address without a server fails`() async throws {
    let player = AVPlayer(url: try #require(URL(string: "http://127.0.0.1:1/a.mp3")))
    let item = try #require(player.currentItem)
    #expect(await PlayedFiles.wait { item.status == .failed })
    #expect(item.error != nil)
  }

  @Test func `A queue plays its items one after another`() async throws {
    let items = try (0..<3).map { _ in
      AVPlayerItem(url: try PlayedFiles.tone(seconds: 0.05, in: scratch))
    }
    let inboxes = items.map { Inbox($0) }
    let player = AVQueuePlayer(items: Array(items.prefix(2)))
    #expect(player.items() == Array(items.prefix(2)) && player.currentItem === items[0])
    #expect(player.canInsert(items[2], after: nil) && !player.canInsert(items[1], after: nil))
    player.insert(items[2], after: items[0])
    #expect(player.items() == [items[0], items[2], items[1]])
    player.play()
    #expect(await PlayedFiles.wait { inboxes.allSatisfy { $0.received.count == 1 } })
    #expect(await PlayedFiles.wait { player.items().isEmpty })
    #expect(player.rate == 1)
    player.removeAllItems()
  }

  @Test func `Random calls from two threads do no harm`() async throws {
    let url = try PlayedFiles.tone(seconds: 0.1, in: scratch)
    let player = AVPlayer(url: url)
    await withTaskGroup(of: Void.self) { group in
      for seed in 1...2 as ClosedRange<UInt64> {
        group.addTask {
          var random = SplitMix(seed: seed)
          for _ in 0..<300 { Self.call(player, url, &random) }
        }
      }
    }
    player.pause()
    #expect(player.rate == 0 && player.timeControlStatus == .paused)
    player.replaceCurrentItem(with: AVPlayerItem(url: url))
    let inbox = Inbox(player.currentItem)
    player.play()
    #expect(await PlayedFiles.wait { inbox.received.count == 1 })
  }

  private static func call(_ player: AVPlayer, _ url: URL, _ random: inout SplitMix) {
    let value = Double(random.next() % 1000) / 500 - 0.5
    switch random.next() % 12 {
    case 0: player.play()
    case 1: player.pause()
    case 2: if random.next() % 4 == 0 { player.replaceCurrentItem(with: AVPlayerItem(url: url)) }
    case 3: if random.next() % 8 == 0 { player.replaceCurrentItem(with: nil) }
    case 4, 5: player.seek(to: CMTime(seconds: value, preferredTimescale: 600)) { _ in }
    case 6: player.rate = Float(value)
    case 7: player.volume = Float(value)
    case 8: player.isMuted.toggle()
    case 9: _ = player.currentTime() == player.currentItem?.duration
    case 10:
      let observer = player.addPeriodicTimeObserver(
        forInterval: CMTime(value: 1, timescale: 100), queue: nil
      ) { _ in }
      player.removeTimeObserver(observer)
    default: player.actionAtItemEnd = value > 0 ? .pause : .none
    }
  }

  @Test func `Players and items end with their last reference`() async throws {
    var player: AVPlayer? = try player(seconds: 10)
    player?.play()
    weak let item = player?.currentItem
    #expect(await PlayedFiles.wait { item?.status == .readyToPlay })
    player = nil
    #expect(await PlayedFiles.wait { item == nil })
  }
}
