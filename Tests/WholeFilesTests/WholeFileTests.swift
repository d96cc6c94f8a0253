// SPDX-License-Identifier: Apache-2.0
import Foundation
import Glibc
import TestSupport
import Testing
import WholeFiles

@Suite struct WholeFileTests {
  private let folder: ScratchFolder

  init() throws { folder = try ScratchFolder() }

  @Test func `a name taken while the file was written is not taken over`() throws {
    var file = try WholeFile(path: folder.path("a"), mayReplace: false)
    close(file.descriptor)
    _ = try folder.write("a", [1])
    do {
      try file.keep()
      Issue.record("the name was given")
    } catch {
      #expect(error == .exists)
    }
    discard(file)
    #expect(try folder.names() == ["a"])
    #expect(try FileContent.data(folder.path("a")) == Data([1]))
  }

  @Test func `what cannot be made again is kept beside a name that was taken`() throws {
    for (name, others) in [("take.wav", ["take-2.wav", "take-3.wav"]), (".a", [".a-2", ".a-3"])] {
      for other in others {
        var file = try WholeFile(path: folder.path(name), mayReplace: false)
        close(file.descriptor)
        _ = try folder.write(name, [1])
        #expect(try file.keepUnderFreeName() == folder.path(other))
        try FileManager.default.removeItem(atPath: folder.path(name))
      }
      #expect(try folder.names().sorted() == others)
      for other in others { try FileManager.default.removeItem(atPath: folder.path(other)) }
    }
  }

  @Test func `a name taken by a link to nowhere is taken`() throws {
    try #require(unsafe symlink("nothing", folder.path("a")) == 0)
    #expect(throws: WholeFileError.exists) { try self.make(mayReplace: false) }
    #expect(throws: WholeFileError.dangling) { try self.make(mayReplace: true) }
    #expect(try folder.names() == ["a"])
  }

  @Test func `of many that want one free name one gets it`() async throws {
    let folder = folder
    let kept = await withTaskGroup(of: Bool.self) { group in
      for _ in 0..<16 {
        group.addTask {
          do {
            var file = try WholeFile(path: folder.path("a"), mayReplace: false)
            close(file.descriptor)
            try file.keep()
            return true
          } catch {
            return false
          }
        }
      }
      return await group.reduce(0) { $0 + ($1 ? 1 : 0) }
    }
    #expect(kept == 1)
    #expect(try folder.names() == ["a"])
  }

  @Test func `a folder that a process that is gone has left is removed, and no living one's`()
    throws
  {
    let gone = try deadProcess()
    let left = folder.path(".downbeat-\(gone)-7.parts")
    try FileManager.default.createDirectory(atPath: left, withIntermediateDirectories: false)
    _ = try folder.write(".downbeat-\(gone)-7.parts/channel-1.wav", [1])
    let made = try WholeFolder.make(in: folder.url.path + "/")
    #expect(made.hasSuffix(".parts"))
    #expect(try folder.names() == [URL(fileURLWithPath: made).lastPathComponent])
  }

  @Test func `what a process that is gone has left is removed, and nothing else`() throws {
    let gone = try deadProcess()
    let left = ".downbeat-\(gone)-1.part"
    let kept = [
      ".downbeat-\(getpid())-999.part", ".downbeat-1-1.part", ".downbeat-\(gone)-1.part.bak",
      ".downbeat-0\(gone)-1.part", ".downbeat-\(gone).part", "downbeat-\(gone)-1.part",
      ".downbeat-\(gone)-locked.part", ".downbeat-\(gone)-2.part",
    ]
    for name in kept + [left] { _ = try folder.write(name, [1]) }
    // Another namespace's process is not to be seen by its number, but by its lock.
    let locked = unsafe open(folder.path(".downbeat-\(gone)-2.part"), O_RDONLY)
    defer { close(locked) }
    try #require(flock(locked, LOCK_EX) == 0)
    try #require(unsafe mkdir(folder.path(".downbeat-\(gone)-3.part"), 0o777) == 0)
    try #require(
      unsafe symlink("downbeat-\(gone)-1.part", folder.path(".downbeat-\(gone)-4.part")) == 0)
    try make(mayReplace: false)
    #expect(
      try folder.names()
        == (kept + [".downbeat-\(gone)-3.part", ".downbeat-\(gone)-4.part"]).sorted())
  }

  /// Creates a file and lets it go.
  private func make(mayReplace: Bool) throws {
    let file = try WholeFile(path: folder.path("a"), mayReplace: mayReplace)
    close(file.descriptor)
    discard(file)
  }

  private func discard(_ file: consuming WholeFile) {}

  /// The number of a process that has ended and been waited for.
  private func deadProcess() throws -> pid_t {
    var number = pid_t()
    let words = unsafe [strdup("true"), nil]
    defer { unsafe free(words[0]) }
    try #require(unsafe posix_spawn(&number, "/bin/true", nil, nil, words, nil) == 0)
    var status: Int32 = 0
    try #require(unsafe waitpid(number, &status, 0) == number)
    return number
  }
}
