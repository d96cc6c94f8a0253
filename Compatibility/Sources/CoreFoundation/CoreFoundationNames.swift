// SPDX-License-Identifier: Apache-2.0
public import Foundation

// Core Foundation's classes are Foundation's own: `as CFURL` and `Unmanaged<CFData>` work.
/// A string.
public typealias CFString = NSString
/// A mutable string.
public typealias CFMutableString = NSMutableString
/// Bytes.
public typealias CFData = NSData
/// Mutable bytes.
public typealias CFMutableData = NSMutableData
/// A URL.
public typealias CFURL = NSURL
/// An array.
public typealias CFArray = NSArray
/// A mutable array.
public typealias CFMutableArray = NSMutableArray
/// A dictionary.
public typealias CFDictionary = NSDictionary
/// A mutable dictionary.
public typealias CFMutableDictionary = NSMutableDictionary
/// A set.
public typealias CFSet = NSSet
/// A number.
public typealias CFNumber = NSNumber
/// True or false.
public typealias CFBoolean = NSNumber
/// An instant.
public typealias CFDate = NSDate
/// An error.
public typealias CFError = NSError
/// A bundle: a folder with the files of a program.
public typealias CFBundle = Bundle
/// Any object.
public typealias CFTypeRef = AnyObject
/// A property list.
public typealias CFPropertyList = AnyObject
