// SPDX-License-Identifier: Apache-2.0
import Foundation
import Glibc
import TestSupport
import Testing
import WholeFiles

/// Folders and files of one user alone.
@Suite struct PrivateFolderTests {
  private let scratch: ScratchFolder

  init() throws { scratch = try ScratchFolder() }

  private func mode(_ path: String) throws -> Int? {
    try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
  }

  private func refusal(_ body: () throws -> Int32) throws -> PrivateFolder.Refusal? {
    do {
      close(try body())
      return nil
    } catch let error as PrivateFolder.Refusal {
      return error
    }
  }

  @Test func `folders are made for this user alone, and those that exist keep their mode`() throws {
    let path = scratch.path("a/b/c")
    PrivateFolder.make(path)
    #expect(try mode(scratch.path("a")) == 0o700 && mode(path) == 0o700)
    #expect(unsafe chmod(path, 0o755) == 0)
    PrivateFolder.make(path)
    #expect(try mode(path) == 0o755)
  }

  @Test func `a folder that others may use is refused, or repaired if they could only read it`()
    throws
  {
    let path = scratch.path("folder")
    #expect(try refusal { try PrivateFolder.open(path) } == .system(ENOENT))
    #expect(try refusal { try PrivateFolder.open(path, making: true) } == nil)
    #expect(unsafe chmod(path, 0o755) == 0)
    #expect(try refusal { try PrivateFolder.open(path, making: true) } == .notPrivate)
    #expect(try refusal { try PrivateFolder.open(path, repairing: true) } == nil)
    #expect(try mode(path) == 0o700)
    #expect(unsafe chmod(path, 0o777) == 0)
    #expect(try refusal { try PrivateFolder.open(path, repairing: true) } == .notPrivate)
  }

  @Test func `a folder of the system is not made for one in it`() throws {
    let path = scratch.path("shm/folder")
    let found = try refusal { try PrivateFolder.open(path, making: true, makingParents: false) }
    #expect(found == .system(ENOENT))
    #expect(try scratch.names().isEmpty)
  }

  @Test func `a link in place of a folder is refused`() throws {
    PrivateFolder.make(scratch.path("real"))
    let link = scratch.path("link")
    #expect(unsafe symlink(scratch.path("real"), link) == 0)
    #expect(try refusal { try PrivateFolder.open(link) } == .otherKind)
  }

  @Test func `what is not a regular file is refused, and nothing is waited for`() throws {
    let (pipe, link) = (scratch.path("pipe"), scratch.path("link"))
    #expect(unsafe mkfifo(pipe, 0o600) == 0)
    #expect(try refusal { try PrivateFolder.openFile(pipe) } == .otherKind)
    #expect(try refusal { try PrivateFolder.openFile(pipe, flags: O_WRONLY) } == .otherKind)
    #expect(unsafe symlink(try scratch.write("file", [1]), link) == 0)
    #expect(try refusal { try PrivateFolder.openFile(link) } == .otherKind)
    #expect(try refusal { try PrivateFolder.openFile(scratch.url.path) } == .otherKind)
    #expect(try refusal { try PrivateFolder.openFile("/dev/null") } == .otherKind)
    #expect(try refusal { try PrivateFolder.openFile(scratch.path("file")) } == nil)
  }

  @Test func `a file is written for this user alone, and only over a regular file`() throws {
    let file = PrivateFile("kept", in: scratch.path("cache"), limit: 100)
    try file.write([1, 2])
    #expect(file.read() == [1, 2])
    #expect(try mode(file.path) == 0o600 && mode(scratch.path("cache/downbeat")) == 0o700)
    #expect(unsafe chmod(file.path, 0o644) == 0)
    try file.write([3])
    #expect(try mode(file.path) == 0o600)
    try FileManager.default.removeItem(atPath: file.path)
    #expect(unsafe mkfifo(file.path, 0o600) == 0)
    #expect(file.read() == nil)
    #expect(throws: WholeFileError.notRegularFile) { try file.write([4]) }
  }

  @Test func `a file without a name leaves nothing`() throws {
    let descriptor = try PrivateFolder.unnamedFile(in: scratch.url.path)
    #expect(fcntl(descriptor, F_GETFD) == FD_CLOEXEC)
    close(descriptor)
    #expect(try scratch.names().isEmpty)
  }

  @Test func `files and folders that are not complete can all be removed at once`()
    async
    throws
  {
    // In a process of its own: other tests of this one write files, too.
    await #expect(processExitsWith: .success) {
      let scratch = try ScratchFolder()
      let file = try WholeFile(path: scratch.path("a"), mayReplace: false)
      let folder = try WholeFolder.make(in: scratch.url.path + "/")
      _ = FileManager.default.createFile(atPath: folder + "/stem.wav", contents: Data())
      var kept = try WholeFile(path: scratch.path("b"), mayReplace: false)
      try kept.keep()
      guard try scratch.names().count == 3, WholeFile.unfinishedByteCount == 0 else { exit(1) }
      WholeFile.removeUnfinished()
      let names = try scratch.names()
      forget(file)
      exit(names == ["b"] ? 0 : 2)
    }
  }
}

private func forget(_ file: consuming WholeFile) {}
