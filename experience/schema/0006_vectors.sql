-- Vectors: what a row means as an embedder sees it, in half floats. Derived: dropping them loses nothing. The sequence
-- is the feed of every live index. A row that is gone, or says something else, loses its vector at once.
create table vectors (
    seq integer primary key autoincrement,
    project text not null,
    kind text not null check (kind in ('experiences', 'memories', 'episodes', 'passages', 'chunks')),
    model text not null,
    subject integer not null,
    hash text not null,
    dimension integer not null check (dimension > 0),
    vector blob not null check (length(vector) = 2 * dimension),
    unique (kind, subject, model)
) strict;
create index vectors_by_text on vectors (model, hash);

-- What live indexes have to forget; only the newest of it, for whoever is further behind starts anew.
create table vectors_gone (
    seq integer primary key autoincrement,
    kind text not null,
    subject integer not null
) strict;
create trigger vectors_delete after delete on vectors begin
    insert into vectors_gone (kind, subject) values (old.kind, old.subject);
    delete from vectors_gone where seq <= (select max(seq) from vectors_gone) - 10000;
end;

create trigger experiences_vectors_delete after delete on experiences begin
    delete from vectors where kind = 'experiences' and subject = old.key;
end;
create trigger experiences_vectors_update after update of intent on experiences when new.intent <> old.intent begin
    delete from vectors where kind = 'experiences' and subject = old.key;
end;
create trigger memories_vectors_delete after delete on memories begin
    delete from vectors where kind = 'memories' and subject = old.key;
end;
create trigger memories_vectors_update after update of content on memories when new.content <> old.content begin
    delete from vectors where kind = 'memories' and subject = old.key;
end;
create trigger episodes_vectors_delete after delete on episodes begin
    delete from vectors where kind = 'episodes' and subject = old.key;
end;
create trigger chunks_vectors_delete after delete on chunks begin
    delete from vectors where kind = 'chunks' and subject = old.key;
end;
create trigger chunks_vectors_update after update of text on chunks when new.text <> old.text begin
    delete from vectors where kind = 'chunks' and subject = old.key;
end;

-- Passages: any text somebody wants to find again by what it means.
create table passages (
    key integer primary key autoincrement,
    id text not null unique,
    project text not null,
    text text not null check (length(text) > 0),
    source text not null,
    trust text not null check (trust in ('user', 'verified', 'agent', 'tool', 'external')),
    fingerprint text not null,
    created_at text not null,
    terms text not null,
    length integer not null check (length >= 0),
    unique (project, fingerprint)
) strict;
create virtual table passages_fts using fts5 (
    terms, content = 'passages', content_rowid = 'key', tokenize = 'ascii'
);
create virtual table passages_vocabulary using fts5vocab ('passages_fts', 'row');
insert into corpora (name, rows, terms) values ('passages', 0, 0);

create trigger passages_fts_insert after insert on passages begin
    insert into passages_fts (rowid, terms) values (new.key, new.terms);
    update corpora set rows = rows + 1, terms = terms + new.length where name = 'passages';
end;
create trigger passages_fts_delete after delete on passages begin
    insert into passages_fts (passages_fts, rowid, terms) values ('delete', old.key, old.terms);
    update corpora set rows = rows - 1, terms = terms - old.length where name = 'passages';
    delete from vectors where kind = 'passages' and subject = old.key;
end;
create trigger passages_fts_update after update of terms, length on passages begin
    insert into passages_fts (passages_fts, rowid, terms) values ('delete', old.key, old.terms);
    insert into passages_fts (rowid, terms) values (new.key, new.terms);
    update corpora set terms = terms - old.length + new.length where name = 'passages';
end;
